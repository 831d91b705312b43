/** The parts of Shopify's objects that this service reads. Amounts are decimal texts in the unit of the currency, in that of the shop and of the buyer. */
import { z } from 'zod';
import { currency, decimal, id, text, time } from '../port/provider-values.ts';

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

export const Order = z.object({
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
export const OrderMessage = z.object({
  admin_graphql_api_id: z.string().regex(/^gid:\/\/shopify\/Order\/\d{1,20}$/),
  updated_at: time,
  test: z.boolean().nullish(),
  customer: z.object({ id: orderNumber }).nullish().catch(null),
  email: text,
});
export const OfOrder = z.object({ order_id: orderNumber, created_at: time.nullish(), initiated_at: time.nullish() });
