import { MERCHANT_DATA, defineTools } from '../define-tool.ts';

export const SALES = defineTools('sales', [
  {
    name: 'referrals',
    title: 'Referrals',
    description:
      'Find referrals: visitors whom affiliates referred, from visitor to lead to conversion. email: of the customer. expand touches: the clicks.',
    actions: {
      list: {
        procedure: 'referrals.list',
        omits: ['conversionState', 'psp_customer_id'],
        offers: ['updated_since'],
        columns: ['id', 'affiliate_id', 'conversion_state', 'customer_id', 'created_at', 'converted_at'],
      },
      get: { procedure: 'referrals.get', page: '/customers/referrals' },
    },
  },
  {
    name: 'manage_referrals',
    title: 'Manage referrals',
    description:
      'Change referrals. create makes one without a visit, by link_id, or by affiliate_id and campaign_id. update with customer_email assigns a customer for good, and attributes the customer’s unattributed sales. deactivate: it stops earning; update with deactivated_at null reactivates.',
    actions: {
      create: { procedure: 'referrals.create', omits: MERCHANT_DATA, destructive: false, idempotent: false },
      update: { procedure: 'referrals.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
      deactivate: { procedure: 'referrals.deactivate', destructive: true, idempotent: true },
    },
  },
  {
    name: 'sales',
    title: 'Sales and customers',
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
  },
  {
    name: 'manage_sales',
    title: 'Manage sales',
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
  },
  {
    name: 'commissions',
    title: 'Commissions',
    description:
      'Find commissions, the amounts affiliates earn: pending until due_at, then due, then paid with a payout, or voided. review_status suspicious: flagged, waiting for a decision. get adds campaign, sale and customer.',
    actions: {
      list: {
        procedure: 'commissions.list',
        offers: ['updated_since'],
        omits: ['needs_review', 'contested'],
        columns: ['id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'due_at', 'review_status'],
      },
      get: { procedure: 'commissions.get', page: '/commissions' },
    },
  },
  {
    name: 'manage_commissions',
    title: 'Manage commissions',
    description:
      'create adds a bonus, or with a negative amount a deduction from the next payout. review: approve, suspicious (flags), deactivate (voids it and ends its referral), for a contested reward reconsider or keep. void is permanent; if already paid, the next payout is reduced. update with paid_at records a payment made elsewhere; to record payouts, use manage_payouts.',
    actions: {
      create: { procedure: 'commissions.create', omits: MERCHANT_DATA, destructive: true, idempotent: false },
      update: { procedure: 'commissions.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
      void: { procedure: 'commissions.void', destructive: true, idempotent: true },
      review: { procedure: 'commissions.review', destructive: true, idempotent: true },
    },
  },
]);
