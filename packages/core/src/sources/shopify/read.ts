/**
 * Reads events of Shopify, and the parts of its objects that this service needs. Amounts are decimal texts in the unit of the currency, in that of the shop
 * and of the buyer. The type of a delivery is in a header, so that its form tells it.
 */
import { z } from 'zod';
import type { ConnectionSettings, ProviderMode, SourceEvent } from '../port/port.ts';
import { currency, decimal, id, text, time } from '../port/provider-values.ts';
import { eventOf, onlyFields, parseMessage, withEventId } from '../port/read-message.ts';

const Money = z.object({ amount: decimal, currencyCode: currency });
const MoneyBag = z.object({ shopMoney: Money, presentmentMoney: Money });
export type MoneyBag = z.infer<typeof MoneyBag>;

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
export type Refund = z.infer<typeof Refund>;

const Dispute = z.object({ id, initiatedAs: z.string(), status: z.string() });
export type Dispute = z.infer<typeof Dispute>;

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
