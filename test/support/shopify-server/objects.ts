/** Orders of Shopify, as its GraphQL Admin API knows them, and its webhooks about them. */

let counter = 5_000_000_000_000;
function shopifyId(): string {
  counter += 1;
  return String(counter);
}

export interface Buyer {
  id: string;
  name: string;
}

interface Item {
  /** Price of the whole line before discounts, with its tax if the shop's prices contain it. */
  price: string;
  tax?: string;
  discount?: string;
  product?: string | null;
  title?: string;
  isGiftCard?: boolean;
}

export interface NewOrder {
  at: string;
  buyer: Buyer | null;
  email: string | null;
  items: Item[];
  shipping?: Item[];
  total: string;
  /** Money that the customer has paid, if it is not the total. */
  received?: string;
  currency?: string;
  /** Currency and rate of the buyer, if they differ. */
  presentment?: { currency: string; rate: number };
  status?: string;
  source?: string | null;
  isTest?: boolean;
  taxesIncluded?: boolean;
  attributes?: Record<string, string>;
  codes?: string[];
  journey?: ShopifyOrder['customerJourneySummary'];
}

export interface ShopifyOrder {
  id: string;
  legacyResourceId: string;
  updatedAt: string;
  displayFinancialStatus: string;
  disputes: { id: string; initiatedAs: string; status: string }[];
  refunds: ReturnType<typeof refund>[];
  lineItems: { nodes: ReturnType<typeof itemOf>[] };
  email: string | null;
  test: boolean;
  customer: { legacyResourceId: string; displayName: string } | null;
  customerJourneySummary: { ready: boolean; lastVisit: object | null } | null;
  [field: string]: unknown;
}

type Money = (amount: string) => { shopMoney: object; presentmentMoney: object };

/** Returns a function that makes amounts in both currencies. */
export function moneyOf({ currency = 'USD', presentment }: Pick<NewOrder, 'currency' | 'presentment'>): Money {
  return (amount) => ({
    shopMoney: { amount, currencyCode: currency },
    presentmentMoney: {
      amount: presentment ? (Number(amount) * presentment.rate).toFixed(2) : amount,
      currencyCode: presentment?.currency ?? currency,
    },
  });
}

function itemOf(item: Item, money: Money) {
  const { product = '11' } = item;
  return {
    id: `gid://shopify/LineItem/${shopifyId()}`,
    title: item.title ?? 'Pro',
    quantity: 1,
    isGiftCard: item.isGiftCard ?? false,
    product: product === null ? null : { legacyResourceId: product },
    variant: product === null ? null : { legacyResourceId: `${product}1` },
    originalTotalSet: money(item.price),
    discountAllocations: item.discount === undefined ? [] : [{ allocatedAmountSet: money(item.discount) }],
    taxLines: item.tax === undefined ? [] : [{ title: 'VAT', priceSet: money(item.tax) }],
  };
}

export function order(of: NewOrder): ShopifyOrder {
  const money = moneyOf(of);
  const legacyResourceId = shopifyId();
  return {
    id: `gid://shopify/Order/${legacyResourceId}`,
    legacyResourceId,
    updatedAt: of.at,
    processedAt: of.at,
    test: of.isTest ?? false,
    sourceName: of.source === undefined ? 'web' : of.source,
    displayFinancialStatus: of.status ?? 'PAID',
    taxesIncluded: of.taxesIncluded ?? false,
    email: of.email,
    customer: of.buyer && { legacyResourceId: of.buyer.id, displayName: of.buyer.name },
    customAttributes: Object.entries(of.attributes ?? {}).map(([key, value]) => ({ key, value })),
    discountCodes: of.codes ?? [],
    customerJourneySummary: of.journey ?? { ready: true, lastVisit: null },
    totalPriceSet: money(of.total),
    totalReceivedSet: money(of.received ?? of.total),
    lineItems: { nodes: of.items.map((item) => itemOf(item, money)) },
    shippingLines: {
      nodes: (of.shipping ?? []).map(({ price, tax }) => ({
        discountedPriceSet: money(price),
        taxLines: tax === undefined ? [] : [{ title: 'VAT', priceSet: money(tax) }],
      })),
    },
    refunds: [],
    disputes: [],
  };
}

export interface NewRefund {
  at: string;
  /** Money that goes back; null if goods are only put back on stock. */
  amount: string | null;
  status?: string;
  /** Amounts by the place of the line. */
  lines?: { line: number; subtotal: string; tax?: string }[];
  shipping?: { subtotal: string; tax?: string }[];
}

export function refund(of: ShopifyOrder, { at, amount, status = 'SUCCESS', lines = [], shipping = [] }: NewRefund) {
  const money = moneyOf({});
  return {
    legacyResourceId: shopifyId(),
    createdAt: at,
    refundLineItems: {
      nodes: lines.map(({ line, subtotal, tax = '0.00' }) => ({
        lineItem: of.lineItems.nodes[line]!,
        quantity: 1,
        subtotalSet: money(subtotal),
        totalTaxSet: money(tax),
      })),
    },
    refundShippingLines: {
      nodes: shipping.map(({ subtotal, tax = '0.00' }) => ({ subtotalAmountSet: money(subtotal), taxAmountSet: money(tax) })),
    },
    transactions: { nodes: amount === null ? [] : [{ kind: 'REFUND', status, amountSet: money(amount) }] },
  };
}

/** Returns the webhook about a change of an order, with the fields that matter. Shopify sends about a hundred. */
export function orderMessage(of: ShopifyOrder) {
  const { id, legacyResourceId, updatedAt, displayFinancialStatus, email, customer, test, refunds } = of;
  return {
    id: Number(legacyResourceId),
    admin_graphql_api_id: id,
    // Shopify writes times with the zone of the shop.
    updated_at: new Date(Date.parse(updatedAt) - 5 * 60 * 60_000).toISOString().replace(/\.\d+Z/, '-05:00'),
    financial_status: displayFinancialStatus.toLowerCase(),
    email,
    test,
    customer: customer && { id: Number(customer.legacyResourceId), email },
    refunds: refunds.map((each) => ({ id: Number(each.legacyResourceId), transactions: each.transactions.nodes })),
  };
}

export function refundMessage(of: ShopifyOrder, { legacyResourceId, createdAt }: ReturnType<typeof refund>) {
  const id = Number(legacyResourceId);
  return { id, admin_graphql_api_id: `gid://shopify/Refund/${id}`, order_id: Number(of.legacyResourceId), created_at: createdAt };
}

export function disputeMessage(of: ShopifyOrder, at: string) {
  const { initiatedAs, status } = of.disputes.at(-1)!;
  return {
    id: 35_982_383,
    order_id: Number(of.legacyResourceId),
    type: initiatedAs.toLowerCase(),
    amount: '11.50',
    currency: 'USD',
    reason: 'fraudulent',
    network_reason_code: '4837',
    status: status.toLowerCase(),
    evidence_due_by: at,
    evidence_sent_on: null,
    finalized_on: null,
    initiated_at: at,
  };
}
