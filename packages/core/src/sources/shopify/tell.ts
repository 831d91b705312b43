/** Pure: an order with its refunds and disputes as a snapshot of a payment. */
import { type CustomData, readCustomData, referralsInAddress } from '../port/custom-data.ts';
import type { ConnectionSettings } from '../port/port.ts';
import { decimalMinorUnits } from '../port/provider-values.ts';
import { type OrderRefund, refundsOfPart } from '../port/refunds-of-part.ts';
import type { DisputeSeen, Payer, RefundSeen, Seen } from '../port/seen.ts';
import { wholePayment } from '../port/whole-payment.ts';
import type { Dispute, MoneyBag, Order, Refund } from './read.ts';

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
  /** By the id of the line. */
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
