/**
 * Reads the events and objects of Shopify, and tells an order with its refunds and disputes as a snapshot of a payment. Amounts are decimal texts in the
 * unit of the currency, in that of the shop and of the buyer. The type of a delivery is in a header, so that its form tells it.
 */
import { z } from 'zod';
import type { ConnectionSettings, ProviderMode, SourceEvent } from '../port/port.ts';
import {
  currency,
  decimal,
  decimalMinorUnits,
  eventOf,
  id,
  onlyFields,
  parseMessage,
  text,
  time,
  withEventId,
} from '../port/read-message.ts';
import type { DisputeSeen, Payer, RefundSeen, Seen } from '../port/seen.ts';
import { type CustomData, readCustomData, referralsInAddress, wholePayment } from '../port/whole-payment.ts';
import { type OrderRefund, refundsOfPart } from '../port/without-shipping.ts';

const Money = z.object({ amount: decimal, currencyCode: currency });
const MoneyBag = z.object({ shopMoney: Money, presentmentMoney: Money });
type MoneyBag = z.infer<typeof MoneyBag>;

const Taxes = { taxLines: z.array(z.object({ priceSet: MoneyBag })) };
const Product = z.object({ legacyResourceId: id }).nullish();
const nodes = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node) }).transform((all) => all.nodes);

const Visit = z
  .object({
    landingPage: z.string().nullish(),
    referralCode: text,
    utmParameters: z.object({ source: text, campaign: text }).nullish(),
  })
  .nullish();

const Refund = z.object({
  legacyResourceId: id,
  createdAt: time,
  refundLineItems: nodes(
    z.object({
      lineItem: z.object({ id, isGiftCard: z.boolean(), product: Product }),
      subtotalSet: MoneyBag,
      totalTaxSet: MoneyBag,
    }),
  ),
  refundShippingLines: nodes(z.object({ subtotalAmountSet: MoneyBag, taxAmountSet: MoneyBag })),
  transactions: nodes(z.object({ kind: z.string(), status: z.string(), amountSet: MoneyBag })),
});
type Refund = z.infer<typeof Refund>;

const Dispute = z.object({ id, initiatedAs: z.string(), status: z.string() });
type Dispute = z.infer<typeof Dispute>;

const Order = z.object({
  legacyResourceId: id,
  test: z.boolean(),
  sourceName: text,
  processedAt: time,
  displayFinancialStatus: text,
  taxesIncluded: z.boolean(),
  email: text,
  customer: z.object({ legacyResourceId: id, displayName: text }).nullish(),
  customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullish() })),
  discountCodes: z.array(z.string()),
  customerJourneySummary: z.object({ ready: z.boolean(), lastVisit: Visit }).nullish(),
  totalPriceSet: MoneyBag,
  totalReceivedSet: MoneyBag,
  lineItems: nodes(
    z.object({
      id,
      title: text,
      quantity: z.int(),
      isGiftCard: z.boolean(),
      product: Product,
      variant: Product,
      originalTotalSet: MoneyBag,
      discountAllocations: z.array(z.object({ allocatedAmountSet: MoneyBag })),
      ...Taxes,
    }),
  ),
  shippingLines: nodes(z.object({ discountedPriceSet: MoneyBag, ...Taxes })),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
});
export type Order = z.infer<typeof Order>;

export const OrderAnswer = z.object({ order: Order.nullable() });
const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
export type PageInfo = z.infer<typeof PageInfo>;
export const ChangedOrders = z.object({
  orders: z.object({ nodes: z.array(z.object({ id, updatedAt: time, test: z.boolean() })), pageInfo: PageInfo }),
});
export const Shop = z.object({ shop: z.object({ name: text, myshopifyDomain: z.string(), currencyCode: currency }) });
export const Subscriptions = z.object({
  webhookSubscriptions: z.object({ nodes: z.array(z.object({ id, topic: z.string(), uri: z.string() })), pageInfo: PageInfo }),
});

const UserErrors = z.object({ userErrors: z.array(z.object({ message: z.string() })) });
export const Subscribed = z.object({ webhookSubscriptionCreate: UserErrors }).transform((all) => all.webhookSubscriptionCreate);

export const Answer = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: text }).nullish() })).nullish(),
});

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** A delivery: an order, or a refund or a dispute of one. Ids of orders can be larger than a number of JavaScript, so that their text counts. */
const orderNumber = z.int().min(1).transform(String);
const OrderMessage = z.object({
  admin_graphql_api_id: z.string().regex(/^gid:\/\/shopify\/Order\/\d{1,20}$/),
  updated_at: time,
  test: z.boolean().nullish(),
  customer: z.object({ id: orderNumber }).nullish().catch(null),
  email: text,
});
const OfOrder = z.object({ order_id: orderNumber, created_at: time.nullish(), initiated_at: time.nullish() });

/** Topics by the type of their events. */
export const TOPICS = {
  'orders/updated': 'ORDERS_UPDATED',
  'refunds/create': 'REFUNDS_CREATE',
  'disputes/create': 'DISPUTES_CREATE',
  'disputes/update': 'DISPUTES_UPDATE',
} as const;
export const EVENT_TYPES = Object.keys(TOPICS);

/** Time of an event that does not state its own. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

export interface ShopifyEvent extends SourceEvent {
  /** The order that the event is about, as GraphQL names it; null for another event. */
  orderId: string | null;
  /** The order, once it has been read, with the time of that and the merchant's choices. */
  read: { order: Order; at: string; settings: ConnectionSettings } | null;
}

/** The fields of a delivery that are stored as they are. */
const STORED = [
  'admin_graphql_api_id',
  'updated_at',
  'test',
  'email',
  'order_id',
  'created_at',
  'initiated_at',
  'network_reason_code',
  'affiliate_event_id',
];

const Message = z.looseObject({});

/**
 * Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`.
 *
 * @param mode mode of an event that does not state its own
 */
export function readMessage(body: string, mode: ProviderMode): ShopifyEvent {
  const told = parseMessage('Shopify', Message, body);
  // The id of a delivery is in a header. Every attempt has the same content.
  const { success, data: order } = OrderMessage.safeParse(told);
  const customer = order?.customer ? { id: Number(order.customer.id) } : null;
  const payload = withEventId({ ...onlyFields(told, STORED), customer }, told);
  const { data: of } = OfOrder.safeParse(told);
  const type = success ? 'orders/updated' : 'network_reason_code' in told ? 'disputes/update' : 'refunds/create';
  const at = order?.updated_at ?? of?.created_at ?? of?.initiated_at ?? UNKNOWN_TIME;
  const ownMode = typeof order?.test === 'boolean' ? (order.test ? 'test' : 'live') : mode;
  const event = { id: payload.affiliate_event_id, type, at, mode: ownMode, payload } as const;
  return eventOf<ShopifyEvent>(event, EVENT_TYPES, { orderId: null, read: null }, () => {
    if (success) {
      const payer = { id: order.customer?.id ?? null, externalId: null, email: order.email, formerEmail: null };
      return { orderId: order.admin_graphql_api_id, payer };
    }
    return of ? { orderId: `gid://shopify/Order/${of.order_id}` } : null;
  });
}

/** Returns an event about an order that was found in a list. */
export function polledEvent({ id, updatedAt, test }: { id: string; updatedAt: string; test: boolean }): ShopifyEvent {
  const told = { admin_graphql_api_id: id, updated_at: updatedAt, test };
  return readMessage(JSON.stringify(told), test ? 'test' : 'live');
}

export const SHOPIFY = 'shopify';

interface Told {
  connectionId: string;
  /** The merchant's choices. */
  settings: ConnectionSettings;
  /** Time at which the order was read. A change of a dispute does not change the order. */
  readAt: string;
}

const PAID = new Set(['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']);
const POINT_OF_SALE = 'pos';
const DRAFT = 'shopify_draft_order';
/** Orders that a subscription app makes after the first one. */
const RENEWAL = 'subscription_contract';

/** Returns what an order says of its payment and payer. */
export function orderSeen({ connectionId, settings, readAt }: Told, order: Order): Seen[] {
  const { sourceName, processedAt: at } = order;
  const isPaid = PAID.has(order.displayFinancialStatus ?? '');
  const { referrals, externalId, excluded } = customDataOf(order);
  const { currency } = moneyOf(settings)(order.totalPriceSet);
  const removed = removedBeforePayment(order, settings);
  const { amount, tax, lines } = earning(order, settings, removed);
  const refunds = refundsOf(order, settings, { earned: amount, removed });
  const isLeftOut =
    (sourceName === POINT_OF_SALE && settings['point_of_sale'] !== 'count') ||
    (sourceName === DRAFT && settings['draft_orders'] === 'exclude');
  return wholePayment({
    source: SHOPIFY,
    connectionId,
    mode: order.test ? 'test' : 'live',
    names: [`order:${order.legacyResourceId}`],
    payer: payerOf(order, externalId),
    charged: isPaid ? { amount: { amount, currency }, tax: { amount: tax, currency }, at } : null,
    lines,
    referrals,
    saidAt: at,
    isRenewal: sourceName === RENEWAL,
    codes: order.discountCodes,
    excluded: excluded || isLeftOut,
    refunds,
    disputes: order.disputes.map((dispute) => disputeOf(dispute, amount - returned(refunds), at)),
    subscription: null,
    version: readAt,
  });
}

/** Returns a function that reads amounts in the currency of the merchant's choice. */
function moneyOf(settings: ConnectionSettings) {
  return ({ shopMoney, presentmentMoney }: MoneyBag) => {
    const { amount, currencyCode: currency } = settings['currency'] === 'buyer' ? presentmentMoney : shopMoney;
    return { amount: decimalMinorUnits(amount, currency), currency };
  };
}

type Item = Order['lineItems'][number];
type Taxed = Pick<Item, 'taxLines'>;

/** Neither gift cards nor tips are goods. What is bought with a gift card is. */
function isGoods({ isGiftCard, product, title }: Item): boolean {
  return !isGiftCard && !(product == null && title === 'Tip');
}

/** Goods and shipping that were taken out of an order before it was paid, with their tax, in the minor unit. */
interface Removed {
  ofLine: (id: string) => { price: number; tax: number };
  shipping: { price: number; tax: number };
  /** Sum with tax. */
  total: number;
}

/**
 * Returns what was taken out of an order before it was paid: refunds that return no money, as far as less was received than the order cost at first. Those
 * of an order that was paid in full only put goods back on stock.
 */
function removedBeforePayment(order: Order, settings: ConnectionSettings): Removed {
  const money = moneyOf(settings);
  const cents = (bag: MoneyBag) => money(bag).amount;
  const linesOf = ({ refundLineItems, refundShippingLines }: Refund) => [
    ...refundLineItems.map(({ lineItem, subtotalSet, totalTaxSet }) => {
      return { line: lineItem.id, price: cents(subtotalSet), tax: cents(totalTaxSet) };
    }),
    ...refundShippingLines.map(({ subtotalAmountSet, taxAmountSet }) => {
      return { line: null, price: cents(subtotalAmountSet), tax: cents(taxAmountSet) };
    }),
  ];
  const grossOf = (lines: ReturnType<typeof linesOf>) =>
    sum(lines.map(({ price, tax }) => (order.taxesIncluded ? price : price + tax)));
  const unpaid = cents(order.totalPriceSet) - cents(order.totalReceivedSet);
  const lines: ReturnType<typeof linesOf> = [];
  for (const refund of order.refunds.filter((each) => stateOf(each) === null).toSorted(byTime)) {
    const taken = linesOf(refund);
    if (grossOf([...lines, ...taken]) <= unpaid) lines.push(...taken);
  }
  const ofLine = (id: string | null) => {
    const own = lines.filter(({ line }) => line === id);
    return { price: sum(own.map(({ price }) => price)), tax: sum(own.map(({ tax }) => tax)) };
  };
  return { ofLine, shipping: ofLine(null), total: grossOf(lines) };
}

/** Returns the part of an order that earns, with its tax, and its lines without tax. */
function earning(order: Order, settings: ConnectionSettings, removed: Removed) {
  const money = moneyOf(settings);
  const cents = (bag: MoneyBag) => money(bag).amount;
  const taxesOf = ({ taxLines }: Taxed) => sum(taxLines.map(({ priceSet }) => cents(priceSet)));
  const netOf = (price: number, tax: number) => (order.taxesIncluded ? price - tax : price);
  const priceOf = (item: Item) =>
    cents(item.originalTotalSet) - sum(item.discountAllocations.map((each) => cents(each.allocatedAmountSet)));
  const goods = order.lineItems.filter(isGoods);
  const shipping = settings['shipping'] === 'count' ? order.shippingLines : [];
  const interval = order.sourceName === RENEWAL ? null : ('one_time' as const);
  const left = goods.map((item) => {
    const { price, tax } = removed.ofLine(item.id);
    return { item, price: priceOf(item) - price, tax: taxesOf(item) - tax };
  });
  const lines = left.map(({ item, price, tax }) => ({
    product: item.product?.legacyResourceId ?? null,
    price: item.variant?.legacyResourceId ?? null,
    name: item.title,
    interval,
    quantity: Math.max(1, item.quantity),
    amount_cents: netOf(price, tax),
  }));
  const ofNothing = { product: null, price: null, name: null, interval, quantity: 1 };
  const shipped = {
    price: sum(shipping.map(({ discountedPriceSet }) => cents(discountedPriceSet))) - removed.shipping.price,
    tax: sum(shipping.map(taxesOf)) - removed.shipping.tax,
  };
  const others = shipping.length === 0 ? [] : [{ ...ofNothing, amount_cents: netOf(shipped.price, shipped.tax) }];
  const all = [...lines, ...others];
  const tax = sum([...left, ...(shipping.length === 0 ? [] : [shipped])].map((line) => line.tax));
  return { amount: Math.max(0, sum(all.map(({ amount_cents }) => amount_cents))) + tax, tax, lines: all };
}

/** Money comes back by transactions, which may fail. A refund without one only puts goods back on stock. */
function refundsOf(
  order: Order,
  settings: ConnectionSettings,
  { earned, removed }: { earned: number; removed: Removed },
): RefundSeen[] {
  const money = moneyOf(settings);
  const { amount, currency } = money(order.totalPriceSet);
  const total = amount - removed.total;
  const cents = (bag: MoneyBag) => money(bag).amount;
  const gross = (price: number, tax: number) => (order.taxesIncluded ? price : price + tax);
  const others = new Set(order.lineItems.flatMap((item) => (isGoods(item) ? [] : [item.id])));
  const refunds = order.refunds.toSorted(byTime).flatMap((refund): OrderRefund[] => {
    const state = stateOf(refund);
    if (state === null) return [];
    const lines = refund.refundLineItems.map(({ lineItem, subtotalSet, totalTaxSet }) => {
      const tax = cents(totalTaxSet);
      return {
        earns: !lineItem.isGiftCard && !others.has(lineItem.id),
        product: lineItem.product?.legacyResourceId ?? null,
        tax,
        gross: gross(cents(subtotalSet), tax),
      };
    });
    const shipping = refund.refundShippingLines.map(({ subtotalAmountSet, taxAmountSet }) => {
      const tax = cents(taxAmountSet);
      return { earns: settings['shipping'] === 'count', product: null, tax, gross: gross(cents(subtotalAmountSet), tax) };
    });
    const all = [...lines, ...shipping];
    const own = all.filter(({ earns }) => earns);
    const tax = sum(own.map((line) => line.tax));
    return [
      {
        id: refund.legacyResourceId,
        at: refund.createdAt,
        state,
        amount: sum(refund.transactions.filter(isRefund).map(({ amountSet }) => cents(amountSet))),
        net: sum(own.map((line) => line.gross)) - tax,
        tax,
        named: sum(all.map((line) => line.gross)),
        products: lines.filter(({ earns }) => earns).map((line) => ({ product: line.product, amount: line.gross - line.tax })),
      },
    ];
  });
  return refundsOfPart(refunds, { earned, total, currency });
}

type Transaction = Refund['transactions'][number];
const isRefund = ({ kind, status }: Transaction) => kind === 'REFUND' && status !== 'FAILURE' && status !== 'ERROR';

/** Returns the state of a refund; null if no money moves. One that failed is known by its transactions alone. */
function stateOf({ transactions }: Refund): RefundSeen['state'] | null {
  const moving = transactions.filter(isRefund);
  if (moving.some(({ status }) => status === 'PENDING')) return 'waiting';
  return moving.length > 0 ? 'done' : null;
}

/**
 * An inquiry takes no money, and one that becomes a chargeback is another dispute. A dispute that was refunded takes nothing beside the refund.
 *
 * @param rest what has not been refunded
 */
function disputeOf({ id, initiatedAs, status }: Dispute, rest: number, at: string): DisputeSeen {
  const isOpen = status === 'NEEDS_RESPONSE' || status === 'UNDER_REVIEW';
  const isLost = initiatedAs === 'CHARGEBACK' && (status === 'LOST' || status === 'ACCEPTED');
  return { id, amount: rest, at, outcome: isOpen ? 'open' : isLost ? 'lost' : 'won' };
}

/**
 * Returns what the checkout says: attributes of the cart, or else what Shopify keeps of the last visit: its referral code (`ref`), its landing page, and a
 * campaign whose source is `affiliate`.
 */
function customDataOf({ customAttributes, customerJourneySummary }: Order): CustomData {
  const named = customAttributes.map(({ key, value }) => [key.replace(/^_+/, ''), value] as const);
  const custom = readCustomData(Object.fromEntries(named));
  const visit = customerJourneySummary?.lastVisit;
  if (custom.referrals.length > 0 || !visit) return custom;
  const { referralCode, landingPage, utmParameters } = visit;
  const campaign = utmParameters?.source === 'affiliate' ? utmParameters.campaign : null;
  const said = [referralCode, campaign].flatMap((value) => readCustomData({ referral: value }).referrals);
  return { ...custom, referrals: [...new Set([...said, ...referralsInAddress(landingPage ?? null)])] };
}

function payerOf({ customer, email }: Order, externalId: string | null): Payer {
  return { ids: customer ? [customer.legacyResourceId] : [], externalId, email, name: customer?.displayName ?? null };
}

function byTime(a: Refund, b: Refund): number {
  const [first, second] = [a, b].map(({ createdAt, legacyResourceId }) => `${createdAt} ${legacyResourceId.padStart(20, '0')}`);
  return first! < second! ? -1 : 1;
}

function returned(refunds: readonly RefundSeen[]): number {
  return sum(refunds.map(({ state, amount }) => (state === 'done' ? amount : 0)));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
