/**
 * The examples of the contract tell one story: Ada promotes the shop. Grace comes by Ada's link on November 20 and buys for 476.00 USD, of which 76.00
 * are tax. Ada earns 12.5% of 400.00. The commission is due 30 days later, and reaches the minimum payout of 50.00.
 */
const VISITED = '2026-11-20T11:45:00.000Z';
const CHARGED = '2026-11-20T12:00:00.000Z';
const DUE = '2026-12-20T12:00:00.000Z';
const PAID = '2027-01-02T09:30:00.000Z';

type Example = Readonly<Record<string, unknown>>;

/** Stands for the example of a schema. */
export class ExampleOfSchema {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Values of fields whose schemas have no example, by name. */
const FIELDS: Example = {
  affiliate_name: 'Ada Lovelace',
  answer: 'On my blog about knitting.',
  approved_domains: 'partner.example.com',
  api_key: 'apk_4fXb2nQ8vT1kLw9sRy6mZc3pHd7gJe5a0BqUxV',
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2',
  id: 'cust_01k9v7m3q8e2t4r6w8y0a1b2c3',
  caller_id: 'key_01k9v7m3q8e2t4r6w8y0a1b2c3',
  caller_kind: 'connector',
  campaign_name: 'Friends of the shop',
  content: 'payout_id,amount_cents,currency\npayout_01k9v7m3q8e2t4r6w8y0a1b2c3,5000,USD\n',
  copy_url: 'https://shop.example.com/?via=ada',
  email: 'ada@example.com',
  embed_origins: 'https://shop.example.com',
  filename: 'payouts-2027-01-02.csv',
  html: '<p>Thank you, Ada.</p>',
  idempotency_key: 'payouts-january',
  label: 'Where will you promote us?',
  name: 'Order system',
  placeholders: 'account_name',
  prefix: 'apk_4fXb2nQ8',
  psp_promotion_code_id: 'promo_1N4X2xQe9k3sBfVtYw7rLd0a',
  code: 'ADA20',
  question: 'Where will you promote us?',
  reason: 'other_product',
  request_body: '{"id":"evt_01k9v7m3q8e2t4r6w8y0a1b2c3","type":"affiliate.created"}',
  rejected_domains: 'spam.example.com',
  resource: 'webhook_endpoint',
  request_id: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e',
  share_url: 'https://shop.example.com/?via=ada',
  since: '2026-11-01',
  slug: 'friends-of-the-shop',
  time_zone: 'Europe/Berlin',
  subject: 'Your application to The Shop',
  text: 'Thank you, Ada.',
  to: 'owner@shop.example.com',
  token: 'mcp_4fXb2nQ8vT1kLw9sRy6mZc3pHd7gJe5a0BqUxV',
  tool: 'affiliates',
  tracking_url: 'https://affiliates.example.com/t/the-shop/ada',
  type: 'charge.succeeded',
  until: '2026-11-30',
  url: 'https://shop.example.com',
  value: 'grace@example.com',
};

/** Values of parameters of the query whose schemas have no example, by name. */
const PARAMETERS: Example = {
  affiliate: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
  browser: 'Firefox',
  campaign: 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3',
  country: 'DE',
  description: 'A banner for newsletters.',
  device: 'mobile',
  landing_path: '/pricing',
  link: 'link_01k9v7m3q8e2t4r6w8y0a1b2c3',
  payment_reference: 'transfer-4711',
  psp_customer_id: 'cus_QXg1h2J3k4L5m6',
  q: 'ADA20',
  referrer: 'news.example.com',
  search: 'ada',
  sub1: 'sidebar',
  sub2: 'autumn',
  sub3: 'blue',
  sub4: 'variant-b',
  sub5: 'issue-12',
  token: 'ada',
  url: 'https://shop.example.com/pricing',
  utm_campaign: 'spring',
  utm_content: 'banner',
  utm_medium: 'email',
  utm_source: 'newsletter',
  utm_term: 'tea',
};

/** Positions in lists whose usual order is not that of the IDs of their records, by operation: the cursor, or what it encodes. */
const CURSORS: Readonly<Record<string, string | readonly string[]>> = {
  'events.list': ['occurred_at', CHARGED, 'evt_01k9v7m3q8e2t4r6w8y0a1b2c3'],
  'imports.rows': 'irow_01k9v7m3q8e2t4r6w8y0a1b2c3',
  'members.list': ['created_at', CHARGED, 'usr_01k9v7m3q8e2t4r6w8y0a1b2c3'],
  'payoutRuns.items': ['rank', '1', 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3'],
  'refunds.list': 'sale_01k9v7m3q8e2t4r6w8y0a1b2c3',
  'rewardRules.list': ['rank', '2000011', 'rule_01k9v7m3q8e2t4r6w8y0a1b2c3'],
  'shadows.list': 'cust_01k9v7m3q8e2t4r6w8y0a1b2c3',
};

const COMMISSION: Example = {
  amount_cents: 5000,
  due_at: DUE,
  payout_id: null,
  adjusts_commission_id: null,
  rule_id: null,
  external_id: null,
  metadata: {},
};
const SALE: Example = {
  external_id: 'order-1001',
  metadata: {},
  charge_amount_cents: 47_600,
  tax_amount_cents: 7600,
  refund_amount_cents: 0,
  sale_amount_cents: 40_000,
  paid_outside: null,
  no_commission_reason: null,
};
const PAYOUT: Example = {
  state: 'due',
  amount_cents: 5000,
  eligible: true,
  ineligible_reasons: [],
  external_id: null,
  metadata: {},
  created_at: DUE,
  updated_at: DUE,
};
const AFFILIATE: Example = { state: 'active', created_at: '2026-11-01T08:00:00.000Z', updated_at: '2026-11-01T08:00:00.000Z' };
const CUSTOMER: Example = {
  email: 'grace@example.com',
  name: 'Grace Hopper',
  first_name: 'Grace',
  last_name: 'Hopper',
  external_id: 'user-42',
  metadata: {},
  created_at: CHARGED,
};
const REFERRAL: Example = {
  conversion_state: 'conversion',
  converted_at: CHARGED,
  external_id: null,
  metadata: {},
  created_at: VISITED,
};
const CAMPAIGN: Example = {
  private: false,
  private_tokens: false,
  commission_amount_cents: null,
  commission_amount_currency: null,
  minimum_payout_cents: 5000,
  days_before_referrals_expire: 60,
  days_until_commissions_are_due: 30,
  customers_visible_to_affiliates: false,
  external_id: null,
  metadata: {},
};
const RUN: Example = {
  state: 'completed',
  issues: [],
  totals: [
    {
      currency: 'USD',
      items_count: 1,
      amount_cents: 5000,
      planned_cents: 0,
      paid_cents: 5000,
      returned_cents: 0,
      failed_cents: 0,
      excluded_cents: 0,
      canceled_cents: 0,
    },
  ],
  executed_at: PAID,
  completed_at: PAID,
  created_at: PAID,
  updated_at: PAID,
};
const EXPORT: Example = {
  totals: [{ currency: 'USD', payouts_count: 1, amount_cents: 5000 }],
  paid_count: 0,
  returned_count: 0,
  created_at: PAID,
  updated_at: PAID,
};
const EXPORT_PAID: Example = { state: 'paid', paid_count: 1, paid_at: PAID, payment_reference: 'SEPA 2027-01' };
const PAYOUT_PAID: Example = {
  state: 'paid',
  eligible: false,
  payment_reference: 'SEPA 2027-01',
  paid_at: PAID,
  updated_at: PAID,
};
const ENDPOINT: Example = { disabled_reason: null };
const DELIVERY: Example = { test: false, status: 'succeeded', response_status: 200, error_code: null, completed_at: CHARGED };
const PREVIEWED: Example = { dry_run: true, operation: { id: null, type: 'import', state: 'previewed' }, warnings: [] };

/** The results of a bulk call with one item. */
function bulk(record: ExampleOfSchema): Example {
  return { data: [{ index: 0, result: 'created', record, error: null }], succeeded_count: 1, failed_count: 0 };
}

/** Values of the fields of records, by the name of the schema. */
const RECORDS: Readonly<Record<string, Example>> = {
  Affiliate: AFFILIATE,
  AffiliateEventData: AFFILIATE,
  PlainAffiliate: AFFILIATE,
  AffiliateTimeline: { entries: [{ at: CHARGED, kind: 'first_sale', amount_cents: 40_000, currency: 'USD' }] },
  Account: { name: 'The Shop', role: 'owner', is_example: false, lacks_second_factor: false },
  AnalyticsReport: {
    group_by: 'day',
    data: [
      {
        value: '2026-11-20',
        clicks: 40,
        unique_visitors: 31,
        leads: 4,
        conversions: 1,
        converted_visitors: 1,
        sales: 1,
        charges_cents: 47_600,
        refunds_cents: 0,
        net_revenue_cents: 40_000,
        commissions_cents: 5000,
        payouts_cents: 0,
        conversion_rate: 0.0323,
        earnings_per_click_cents: 125,
        refund_rate: 0,
        average_order_cents: 47_600,
        lifetime_value_cents: 40_000,
      },
    ],
  },
  ApiKey: { name: 'Nightly export' },
  ApiRequest: { status: 200 },
  Erased: { kept: [] },
  CreatedApiKey: { name: 'Nightly export' },
  RevokedApiKey: { message: 'The API key has been revoked.' },
  Asset: { name: 'banner.png', description: 'For the sidebar of a blog.', size_bytes: 48_213 },
  AssetFile: { name: 'banner.png', description: 'For the sidebar of a blog.', size_bytes: 48_213 },
  AuditEntry: { action: 'create', arguments: { email: 'ada@example.com' }, preview: false, outcome: 'succeeded' },
  AffiliatesBulk: bulk(new ExampleOfSchema('Affiliate')),
  CommissionsBulk: bulk(new ExampleOfSchema('Commission')),
  LinksBulk: bulk(new ExampleOfSchema('Link')),
  ReferralsBulk: bulk(new ExampleOfSchema('Referral')),
  SalesBulk: bulk(new ExampleOfSchema('RecordedSale')),
  Campaign: CAMPAIGN,
  CampaignDetail: CAMPAIGN,
  Commission: COMMISSION,
  CommissionEventData: { ...COMMISSION, sale_customer_email: 'grace@example.com', sale_customer_name: 'Grace Hopper' },
  PlainCommission: COMMISSION,
  CustomerEventData: CUSTOMER,
  MergedCustomerEventData: CUSTOMER,
  ListedCustomer: CUSTOMER,
  Event: {
    test: false,
    previous_attributes: null,
    data: new ExampleOfSchema('AffiliateEventData'),
  },
  DailySeries: {
    from: '2026-11-20',
    to: '2026-11-20',
    days: [
      {
        date: '2026-11-20',
        clicks: 40,
        referrals: 31,
        conversions: 1,
        currencies: [{ currency: 'USD', sales: 1, sales_cents: 40_000, commissions_cents: 5000, payouts: 0, payouts_cents: 0 }],
      },
    ],
  },
  FallingDue: { months: [{ month: '2026-12', currency: 'USD', count: 1, amount_cents: 5000 }] },
  Invitation: {
    kind: 'affiliate',
    role: null,
    accepted_by_user_id: null,
    affiliate_id: null,
    expires_at: '2026-11-27T12:00:00.000Z',
  },
  Link: { external_id: null, metadata: {}, clicks: 40, visitors: 31, leads: 4, conversions: 1 },
  Overview: {
    as_of: CHARGED,
    due: [
      {
        currency: 'USD',
        payable: { count: 1, amount_cents: 5000 },
        waiting: { count: 1, amount_cents: 1200 },
        obstacles: [{ reason: 'below_minimum', count: 1, amount_cents: 1200 }],
        debts: { count: 0, amount_cents: 0 },
        processing: { count: 0, amount_cents: 0 },
        not_due_yet: { count: 1, amount_cents: 5000 },
        under_review: { count: 0, amount_cents: 0 },
      },
    ],
    needs_review: {
      commissions_count: 0,
      commissions: [],
      rewards_count: 0,
      sales_count: 0,
      affiliates: [
        {
          id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
          email: 'ada@example.com',
          state: 'pending',
          created_at: '2026-11-01T08:00:00.000Z',
        },
      ],
    },
    affiliates: { pending: 1, active: 12, disabled: 0, suspicious: 0, rejected: 2 },
    recent_activity: [],
  },
  Pagination: {
    previous_page: null,
    current_page: 1,
    next_page: null,
    previous_cursor: null,
    next_cursor: null,
    count: 1,
    limit: 25,
    total_pages: 1,
    total_count: 1,
  },
  Payable: {
    currencies: [
      {
        currency: 'USD',
        payable: { count: 1, amount_cents: 5000 },
        falling_due: { count: 1, amount_cents: 2500 },
        under_review: { count: 0, amount_cents: 0 },
        obstacles: [{ reason: 'below_minimum', count: 1, amount_cents: 1200 }],
      },
    ],
    largest: [
      {
        affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
        email: 'ada@example.com',
        currency: 'USD',
        amount_cents: 5000,
        ineligible_reasons: [],
      },
    ],
  },
  Payout: PAYOUT,
  PayoutEventData: PAYOUT,
  MergedPayoutEventData: PAYOUT,
  PaidPayoutEventData: { ...PAYOUT, ...PAYOUT_PAID },
  PayoutExport: EXPORT,
  CreatedPayoutExport: EXPORT,
  PayoutExportFile: EXPORT,
  PayoutExportEventData: { ...EXPORT, ...EXPORT_PAID },
  PayoutExportCheck: {
    formats: [
      { export_format: 'csv', payouts_count: 1, totals: EXPORT['totals'], left_out_count: 0, left_out: [] },
      {
        export_format: 'walletb',
        payouts_count: 0,
        totals: [],
        left_out_count: 1,
        left_out: [
          {
            payout_id: 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3',
            affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
            affiliate_name: 'Ada Lovelace',
            code: 'missing_wallet_address',
            message: 'Ada Lovelace has no Wise email address.',
          },
        ],
      },
    ],
  },
  PayoutReconciliation: {
    lookback_days: 30,
    from: '2026-12-03T09:30:00.000Z',
    until: PAID,
    runs: { planned: 0, executing: 0, completed: 1, partially_completed: 0, canceled: 0 },
    waiting: { events: 0, payments_without_amount: 0, sales_without_referral: 0 },
    totals: [
      {
        currency: 'USD',
        payouts_count: 1,
        paid_cents: 5000,
        paid_by_run_cents: 5000,
        paid_by_export_cents: 0,
        paid_by_hand_cents: 0,
        paid_by_service_cents: 0,
        returned_cents: 0,
      },
    ],
    fees: [],
    discrepancies: [],
  },
  PayoutRun: {
    ...RUN,
    items: [
      {
        payout_id: 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3',
        affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
        state: 'paid',
        amount_cents: 5000,
        currency: 'USD',
        commissions_count: 1,
        issue: null,
      },
    ],
  },
  PayoutRunSummary: RUN,
  PayoutRunEventData: RUN,
  PromoCodeAssignment: { code: 'ADA20', observed_at: CHARGED, created_at: CHARGED, updated_at: CHARGED },
  PromoCodeOutcome: PREVIEWED,
  PspCatalog: {
    problem: null,
    products: [{ id: 'prod_pro', name: 'Pro' }],
    prices: [
      {
        id: 'price_pro_monthly',
        name: 'Monthly',
        product_id: 'prod_pro',
        interval: 'month',
        unit_cents: 4900,
        currency: 'USD',
        active: true,
      },
    ],
  },
  RecordedSale: { reason: null },
  Referral: REFERRAL,
  ReferralEventData: REFERRAL,
  RewardEffect: {
    explanation: 'Applies to sales from now on; the last 30 days would have cost US$1,240.00 instead of US$980.00.',
    sales_count: 98,
    totals: [{ currency: 'USD', current_cents: 98_000, changed_cents: 124_000 }],
    warnings: [],
  },
  RewardsPreview: {
    amount_cents: 998,
    lines: [
      {
        product: 'prod_pro',
        rule_id: 'rule_01k9v7m3q8e2t4r6w8y0a1b2c3',
        rule_name: 'Pro in the first year',
        pay: { percent: 20 },
        note: null,
        base_cents: 4990,
        amount_cents: 998,
      },
    ],
  },
  Sale: SALE,
  SaleEventData: SALE,
  ListedSale: SALE,
  DetailedSale: SALE,
  UpdatedSale: SALE,
  SearchResults: {
    data: [{ kind: 'affiliate', record_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', title: 'Ada Lovelace', detail: 'ada@example.com' }],
  },
  Timeline: {
    entries: [
      {
        at: CHARGED,
        kind: 'sale',
        record_id: 'sale_01k9v7m3q8e2t4r6w8y0a1b2c3',
        amount_cents: 40_000,
        previous_amount_cents: null,
        currency: 'USD',
        note: null,
        actor: null,
        actor_name: null,
      },
    ],
  },
  TopAffiliates: {
    affiliates: [
      {
        id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
        state: 'active',
        sales: 1,
        sales_cents: 40_000,
        previous_sales_cents: 32_000,
        commissions_cents: 5000,
      },
    ],
  },
  TrackedLead: { conversion_state: 'lead' },
  WebhookDelivery: DELIVERY,
  WebhookDeliveryDetail: {
    ...DELIVERY,
    attempts: [
      {
        attempt: 1,
        trigger: 'schedule',
        started_at: CHARGED,
        duration_ms: 84,
        request_headers: { 'hook-id': 'dlv_01k9v7m3q8e2t4r6w8y0a1b2c3' },
        response_status: 200,
        response_headers: {},
        response_excerpt: 'ok',
        error_code: null,
      },
    ],
  },
  WebhookEndpoint: ENDPOINT,
  WebhookEndpointWithSecret: ENDPOINT,
};

const EVENTS: Readonly<Record<string, Example>> = {
  'affiliate.created': { data: { state: 'pending' } },
  'affiliate.approved': { previous_attributes: { state: 'pending' } },
  'affiliate.updated': { previous_attributes: { email: 'ada.byron@example.com' } },
  'referral.created': { data: { conversion_state: 'visitor', converted_at: null, customer_id: null } },
  'referral.converted': { previous_attributes: { conversion_state: 'lead', converted_at: null } },
  'referral.updated': {
    data: { conversion_state: 'lead', converted_at: null },
    previous_attributes: { conversion_state: 'visitor', customer_id: null },
  },
  'customer.updated': { previous_attributes: { email: null } },
  'sale.refunded': {
    data: { refund_amount_cents: 23_800, sale_amount_cents: 20_000 },
    previous_attributes: { refund_amount_cents: 0, sale_amount_cents: 40_000 },
  },
  'sale.updated': { previous_attributes: { referral_id: null, affiliate_id: null } },
  'commission.due': {
    data: { state: 'due', payout_id: 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3' },
    previous_attributes: { state: 'pending', payout_id: null },
  },
  'commission.voided': {
    data: { state: 'voided', voided_at: DUE, void_reason: 'Test order' },
    previous_attributes: { state: 'pending', voided_at: null, void_reason: null },
  },
  'commission.updated': { data: { amount_cents: 2500 }, previous_attributes: { amount_cents: 5000 } },
  'payout.updated': { previous_attributes: { amount_cents: 2500, commissions_count: 1 } },
  'payout.failed': {
    data: { state: 'due', eligible: true, ineligible_reasons: [] },
  },
  'payout.paid': { previous_attributes: { state: 'due', payment_reference: null, paid_at: null } },
  'payout.returned': {
    data: { state: 'returned', returned_at: PAID, return_reason: 'Account closed' },
    previous_attributes: { state: 'paid', returned_at: null, return_reason: null },
  },
};

const NEW_AFFILIATE: Example = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  walleta_email: 'ada@example.com',
};

const NEW_COMMISSION: Example = {
  affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
  amount_cents: 5000,
  currency: 'USD',
  note: 'Bonus for November',
  due_at: DUE,
};
const NEW_LINK: Example = {
  affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3',
  campaign_id: 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3',
  url: 'https://shop.example.com',
};
const NEW_SALE: Example = {
  external_id: 'order-1001',
  referral_id: 'ref_01k9v7m3q8e2t4r6w8y0a1b2c3',
  customer_email: 'grace@example.com',
  amount_cents: 47_600,
  tax_amount_cents: 7600,
  currency: 'USD',
  charged_at: CHARGED,
};

interface OperationStory {
  /** The whole body of the request. In the request of an event: the fields that differ from the record's. */
  request?: Example;
  /** The fields of successful responses that differ from the record's. */
  response?: Example;
  /** Further fields, by status. */
  responses?: Readonly<Record<string, Example>>;
}

/** The requests and responses of single operations, by the id of the operation. */
const OPERATIONS: Readonly<Record<string, OperationStory>> = {
  'affiliateCoupons.create': { request: { code: 'ADA20' } },
  'affiliateCoupons.update': { request: { code: 'ADA20' } },
  'affiliates.create': { request: { ...NEW_AFFILIATE, external_id: 'partner-17' } },
  'affiliates.createMany': { request: { items: [{ ...NEW_AFFILIATE, external_id: 'partner-17' }] } },
  'affiliates.upsert': { request: NEW_AFFILIATE },
  'assets.create': {
    request: { name: 'slogan.txt', description: 'For the sidebar of a blog.', content: 'V2UgbG92ZSB0ZWEu' },
  },
  'customers.merge': { request: { customer_id: 'cust_01k9v7m3q8e2t4r6w8y0a1b2c4' } },
  'imports.create': {
    request: { source: 'csv', files: [{ kind: 'affiliates', content: 'email,first_name\nada@example.com,Ada\n' }] },
  },
  'imports.addPart': { request: { file: 0, offset: 0, content: 'email,first_name\nada@example.com,Ada\n', is_last: true } },
  'sales.assign': { request: { affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3' } },
  'affiliates.update': { request: { state: 'active', walleta_email: 'ada@example.com' } },
  'campaigns.update': { response: { commission_percent: 15, welcome_text: 'Welcome back!' } },
  'commissions.create': {
    response: {
      kind: 'manual',
      referral_id: null,
      sale_id: null,
      due_at: DUE,
      note: 'Bonus for November',
      created_by: 'key_01k9v7m3q8e2t4r6w8y0a1b2c3',
    },
    request: NEW_COMMISSION,
  },
  'commissions.createMany': { request: { items: [NEW_COMMISSION] } },
  'commissions.update': {
    request: { due_at: DUE },
    response: { updated_at: CHARGED },
  },
  'commissions.review': { response: { review_status: 'approved' } },
  'customers.update': { request: { name: 'Grace Hopper' } },
  'customers.upsert': { request: { email: 'grace@example.com', name: 'Grace Hopper' } },
  'invitations.create': {
    request: { kind: 'affiliate', email: 'ada@example.com', campaign_id: 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3' },
  },
  'invitations.update': {
    request: { kind: 'affiliate', invitation_action: 'revoke' },
    response: { status: 'revoked', revoked_at: CHARGED },
  },
  'invitations.delete': { request: { kind: 'affiliate' } },
  'invitations.resend': { request: { kind: 'affiliate' }, response: { resent_at: CHARGED } },
  'links.createMany': { request: { items: [NEW_LINK] } },
  'links.create': {
    request: { ...NEW_LINK, token: 'ada' },
    response: { clicks: 0, visitors: 0, leads: 0, conversions: 0 },
  },
  'links.update': { request: { url: 'https://shop.example.com' } },
  'payouts.pay': { request: { payment_reference: 'SEPA 2027-01' }, response: PAYOUT_PAID },
  'payouts.update': { request: { external_id: 'payout-7' }, response: { external_id: 'payout-7' } },
  'payouts.return': {
    response: { ...PAYOUT_PAID, state: 'returned', returned_at: PAID, return_reason: 'Account closed' },
  },
  'payoutExports.pay': { request: { payment_reference: 'SEPA 2027-01' }, response: EXPORT_PAID },
  'payoutExports.report': { response: { payout_export: EXPORT_PAID, booked_count: 1 } },
  'payoutExports.release': { response: { state: 'released', released_at: PAID } },
  'payoutRuns.create': {
    request: { idempotency_key: 'payouts-january', execute_now: true },
  },
  'promoCodes.create': {
    request: { affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', code: 'ADA20' },
    response: { code: 'ADA20', psp_promotion_code_id: null },
  },
  'promoCodes.createMany': { request: { items: [{ affiliate_id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', code: 'ADA20' }] } },
  'promoCodes.assign': {
    request: { mode: 'create', code: 'ADA20', psp_coupon_id: 'SPRING20', dry_run: true },
    response: { operation: { id: null, type: 'create', state: 'previewed' } },
    responses: {
      201: { dry_run: false, operation: { id: 'op_01k9v7m3q8e2t4r6w8y0a1b2c3', type: 'create', state: 'succeeded' } },
    },
  },
  'promoCodes.refresh': { response: { operation: { id: null, type: 'refresh', state: 'previewed' } } },
  'promoCodes.stop': { response: { operation: { id: null, type: 'stop', state: 'previewed' } } },
  'referrals.update': {
    request: { conversion_state: 'lead', customer_email: 'grace@example.com' },
    response: { conversion_state: 'lead', converted_at: null },
  },
  'referrals.createMany': { request: { items: [{ link_id: 'link_01k9v7m3q8e2t4r6w8y0a1b2c3' }] } },
  'referrals.create': {
    request: { link_id: 'link_01k9v7m3q8e2t4r6w8y0a1b2c3' },
    response: { conversion_state: 'visitor', converted_at: null, customer_id: null },
  },
  'tiers.create': {
    request: { campaign_id: 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3', name: 'Gold', metric: 'customers', from: 10 },
    response: { currency: null, ended_at: null },
  },
  'rewardRules.create': {
    request: {
      campaign_id: 'camp_01k9v7m3q8e2t4r6w8y0a1b2c3',
      name: 'Pro in the first year',
      pay: { percent: 20 },
      when: { products: ['prod_pro'], age_months: { to: 12 } },
    },
    response: { affiliate_id: null, link_id: null },
  },
  'tracking.recordSales': { request: { items: [NEW_SALE] } },
  'tracking.recordSale': { request: NEW_SALE },
  'tracking.recordRefund': {
    request: { external_id: 'order-1001', refund_id: 'refund-1001', amount_cents: 23_800 },
  },
  'tracking.recordLead': { request: { referral_id: 'ref_01k9v7m3q8e2t4r6w8y0a1b2c3', email: 'grace@example.com' } },
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, request]) => [`events.${type}`, { request }])),
};

/** Returns the fields that the story gives to a record. */
export function recordInStory(schema: string | undefined): Example {
  return RECORDS[schema ?? ''] ?? {};
}

/** Returns the value that the story gives to fields with a name, or undefined. */
export function fieldInStory(name: string): unknown {
  return FIELDS[name];
}

export function parameterInStory(name: string): unknown {
  return PARAMETERS[name];
}

/** Returns the cursor of a list whose cursors are not the IDs of its records, or undefined. */
export function cursorInStory(operationId: string): string | undefined {
  const position = CURSORS[operationId];
  return Array.isArray(position) ? Buffer.from(JSON.stringify(position)).toString('base64url') : (position as string | undefined);
}

export function operationInStory(operationId: string | undefined): OperationStory {
  return OPERATIONS[operationId ?? ''] ?? {};
}
