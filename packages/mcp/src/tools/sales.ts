import { defineTool } from '../define-tool.ts';

export const sales = defineTool({
  name: 'sales',
  title: 'Sales and customers',
  toolset: 'sales',
  description:
    'Find sales and customers. For the ID of an order, use program_overview search. attributed false: sales without an affiliate. refunds: refunded sales, with each refund. explain: why a sale earned or not.',
  actions: {
    list: {
      procedure: 'sales.list',
      omits: ['expand', 'needs_review'],
      offers: ['external_id', 'customer_id'],
      columns: ['id', 'external_id', 'sale_amount_cents', 'currency', 'charged_at', 'affiliate_id', 'no_commission_reason'],
    },
    get: { procedure: 'sales.get', page: '/customers/sales' },
    refunds: {
      procedure: 'refunds.list',
      offers: ['updated_since'],
      columns: ['sale_id', 'external_id', 'affiliate_id', 'currency', 'refund_amount_cents', 'refunds'],
    },
    customers: {
      procedure: 'customers.list',
      columns: ['id', 'email', 'name', 'affiliate_id', 'created_at'],
    },
    customer: { procedure: 'customers.get', page: '/customers' },
    customer_data: { procedure: 'customers.personalData' },
  },
});

export const manageSales = defineTool({
  name: 'manage_sales',
  title: 'Manage sales',
  toolset: 'sales',
  description:
    'assign gives a sale to an affiliate or a referral, and its commission with it. update corrects the amounts of a reported sale, and its commission. reconsider decides an unearned sale again, by current states and terms. record, refund: report what the shop did not; the same IDs count once. Amounts include tax.',
  actions: {
    assign: { procedure: 'sales.assign', destructive: true, idempotent: true },
    update: { procedure: 'sales.update', destructive: true, idempotent: true },
    reconsider: { procedure: 'sales.reconsider', destructive: true, idempotent: true },
    record: {
      procedure: 'tracking.recordSale',
      takes: [
        'external_id',
        'referral_id',
        'customer_email',
        'promo_code',
        'amount_cents',
        'tax_amount_cents',
        'shipping_amount_cents',
        'currency',
        'charged_at',
      ],
      destructive: true,
      idempotent: true,
    },
    refund: { procedure: 'tracking.recordRefund', unlisted: ['lines'], destructive: true, idempotent: true },
    erase_customer: { procedure: 'customers.erase', destructive: true, idempotent: true },
  },
});
