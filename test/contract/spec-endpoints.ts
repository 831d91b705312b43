/** An endpoint of /api/v1 that clients rely on. */
export interface SpecEndpoint {
  method: string;
  path: string;
  query?: readonly string[];
  body?: readonly string[];
  requiredBody?: readonly string[];
  /** Status of a successful response (docs/domain-rules.md#wire-conventions). */
  status: number;
}

const CAMPAIGN_FIELDS = [
  'name',
  'slug',
  'url',
  'private',
  'private_tokens',
  'reward_type',
  'commission_percent',
  'commission_amount_cents',
  'commission_amount_currency',
  'minimum_payout_cents',
  'minimum_payout_currency',
  'max_commission_period_months',
  'max_commissions',
  'days_before_referrals_expire',
  'days_until_commissions_are_due',
  'affiliate_dashboard_text',
  'custom_reward_description',
  'welcome_text',
  'customers_visible_to_affiliates',
  'sale_description_visible_to_affiliates',
  'parameter_type',
  'psp_coupon_id',
  'default',
];
const PAGE = ['page', 'limit'];
const UPDATED = ['updated_since', 'updated_until'];
const WALLETS = ['walleta_email', 'walletb_email'];

/** The endpoints of /api/v1 that the original specification of the API describes, with their fields. */
export const SPEC_ENDPOINTS: readonly SpecEndpoint[] = [
  { method: 'GET', path: '/api/v1/api_keys', query: PAGE, status: 200 },
  {
    method: 'POST',
    path: '/api/v1/api_keys',
    body: ['name', 'permissions', 'expires_at'],
    requiredBody: ['name'],
    status: 201,
  },
  { method: 'DELETE', path: '/api/v1/api_keys/{id}', status: 200 },

  {
    method: 'GET',
    path: '/api/v1/affiliates',
    query: [...PAGE, 'campaign_id', 'email', 'state', 'psp_customer_id', ...UPDATED, 'expand'],
    status: 200,
  },
  {
    method: 'POST',
    path: '/api/v1/affiliates',
    body: ['email', 'campaign_id', 'first_name', 'last_name', 'state', ...WALLETS],
    requiredBody: ['email'],
    status: 201,
  },
  { method: 'GET', path: '/api/v1/affiliates/{id}', query: ['expand'], status: 200 },
  { method: 'PATCH', path: '/api/v1/affiliates/{id}', body: ['state', 'campaign_id', ...WALLETS], status: 200 },
  { method: 'DELETE', path: '/api/v1/affiliates/{id}', status: 204 },

  { method: 'GET', path: '/api/v1/affiliates/{affiliate_id}/coupon', status: 200 },
  { method: 'POST', path: '/api/v1/affiliates/{affiliate_id}/coupon', status: 201 },
  { method: 'PATCH', path: '/api/v1/affiliates/{affiliate_id}/coupon', status: 200 },
  { method: 'DELETE', path: '/api/v1/affiliates/{affiliate_id}/coupon', status: 204 },
  { method: 'POST', path: '/api/v1/affiliates/{affiliate_id}/coupon/sync', body: ['force'], status: 200 },

  { method: 'GET', path: '/api/v1/affiliates/{affiliate_id}/promo_codes', query: ['q', 'discounts'], status: 200 },
  {
    method: 'POST',
    path: '/api/v1/affiliates/{affiliate_id}/promo_codes',
    body: ['psp_promotion_code_id', 'mode', 'code', 'psp_coupon_id', 'dry_run'],
    status: 201,
  },
  { method: 'PATCH', path: '/api/v1/affiliates/{affiliate_id}/promo_codes/{id}', body: ['dry_run'], status: 200 },
  { method: 'DELETE', path: '/api/v1/affiliates/{affiliate_id}/promo_codes/{id}', body: ['dry_run'], status: 200 },

  { method: 'GET', path: '/api/v1/campaigns', query: PAGE, status: 200 },
  { method: 'POST', path: '/api/v1/campaigns', body: CAMPAIGN_FIELDS, status: 201 },
  { method: 'GET', path: '/api/v1/campaigns/{id}', status: 200 },
  { method: 'PATCH', path: '/api/v1/campaigns/{id}', body: CAMPAIGN_FIELDS, status: 200 },
  { method: 'DELETE', path: '/api/v1/campaigns/{id}', status: 204 },

  { method: 'GET', path: '/api/v1/links', query: ['affiliate_id', 'campaign_id', ...PAGE], status: 200 },
  {
    method: 'POST',
    path: '/api/v1/links',
    body: ['affiliate_id', 'campaign_id', 'url', 'token'],
    requiredBody: ['affiliate_id', 'campaign_id', 'url'],
    status: 201,
  },
  { method: 'GET', path: '/api/v1/links/{id}', status: 200 },
  { method: 'PATCH', path: '/api/v1/links/{id}', body: ['affiliate_id', 'campaign_id', 'url', 'token'], status: 200 },
  { method: 'DELETE', path: '/api/v1/links/{id}', status: 204 },

  {
    method: 'GET',
    path: '/api/v1/referrals',
    query: [...PAGE, 'affiliate_id', 'conversion_state', 'conversionState', 'psp_customer_id', 'email', ...UPDATED, 'expand'],
    status: 200,
  },
  {
    method: 'POST',
    path: '/api/v1/referrals',
    body: ['affiliate_id', 'campaign_id', 'link_id', 'conversion_state', 'expires_at'],
    status: 201,
  },
  { method: 'GET', path: '/api/v1/referrals/{id}', query: ['expand'], status: 200 },
  {
    method: 'PATCH',
    path: '/api/v1/referrals/{id}',
    body: ['conversion_state', 'deactivated_at', 'customer_email'],
    status: 200,
  },
  { method: 'DELETE', path: '/api/v1/referrals/{id}', status: 204 },

  {
    method: 'GET',
    path: '/api/v1/commissions',
    query: [...PAGE, 'state', 'affiliate_id', 'campaign_id', ...UPDATED, 'expand'],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/commissions/{id}', status: 200 },
  { method: 'PATCH', path: '/api/v1/commissions/{id}', body: ['due_at', 'paid_at'], status: 200 },
  { method: 'DELETE', path: '/api/v1/commissions/{id}', body: ['void_reason'], status: 204 },
  {
    method: 'POST',
    path: '/api/v1/commissions/{id}/review',
    body: ['review_action'],
    requiredBody: ['review_action'],
    status: 200,
  },

  {
    method: 'GET',
    path: '/api/v1/payouts',
    query: [...PAGE, 'affiliate_id', 'state', 'eligible', ...UPDATED, 'expand'],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/payouts/{id}', status: 200 },
  { method: 'POST', path: '/api/v1/payouts/{id}/pay', body: ['payment_reference'], status: 200 },

  { method: 'GET', path: '/api/v1/payout_exports', query: ['limit'], status: 200 },
  { method: 'POST', path: '/api/v1/payout_exports', body: ['payout_ids', 'export_format', 'notes'], status: 201 },
  { method: 'GET', path: '/api/v1/payout_exports/{id}', query: ['export_format'], status: 200 },
  { method: 'DELETE', path: '/api/v1/payout_exports/{id}', status: 200 },
  {
    method: 'POST',
    path: '/api/v1/payout_exports/{payout_export_id}/payment',
    body: ['payment_reference'],
    status: 200,
  },

  {
    method: 'POST',
    path: '/api/v1/payout_runs',
    body: ['idempotency_key', 'execute_now', 'affiliate_ids', 'payment_reference'],
    status: 201,
  },
  { method: 'PUT', path: '/api/v1/payout_runs/{id}/execute', body: ['async', 'payment_reference'], status: 202 },
  {
    method: 'PUT',
    path: '/api/v1/payout_runs/{id}/remediate',
    body: ['remediation_action', 'issue_code', 'payout_ids'],
    requiredBody: ['remediation_action'],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/payout_runs/reconcile', query: ['lookback_days'], status: 200 },

  { method: 'GET', path: '/api/v1/invitations', query: ['kind', 'status', ...PAGE], status: 200 },
  {
    method: 'POST',
    path: '/api/v1/invitations',
    body: ['kind', 'email', 'role', 'campaign_id', 'campaignId'],
    requiredBody: ['kind', 'email'],
    status: 201,
  },
  { method: 'GET', path: '/api/v1/invitations/{id}', query: ['kind'], status: 200 },
  {
    method: 'PATCH',
    path: '/api/v1/invitations/{id}',
    body: ['kind', 'invitation_action', 'status_action', 'status', 'role', 'user_id'],
    status: 200,
  },
  { method: 'DELETE', path: '/api/v1/invitations/{id}', query: ['kind'], body: ['kind'], status: 204 },
  { method: 'POST', path: '/api/v1/invitations/{id}/resend', query: ['kind'], body: ['kind'], status: 200 },
];

const ANALYTICS_PARAMETERS = [
  'group_by',
  'since',
  'until',
  'currency',
  'compare',
  'limit',
  'format',
  'affiliate',
  'campaign',
  'link',
  'landing_path',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'country',
  'device',
  'browser',
];

/** The endpoints of /api/v1 that are newer than the original specification of the API. */
export const ADDED_ENDPOINTS: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/commissions',
    body: ['affiliate_id', 'amount_cents', 'currency', 'note', 'due_at'],
    requiredBody: ['affiliate_id', 'amount_cents', 'currency', 'note'],
    status: 201,
  },
  { method: 'POST', path: '/api/v1/sales/{id}/reconsider', status: 200 },
  { method: 'POST', path: '/api/v1/affiliates/{id}/portal_link', status: 201 },
  { method: 'POST', path: '/api/v1/affiliates/{id}/embed_token', status: 201 },
  {
    method: 'POST',
    path: '/api/v1/affiliates/embed_token',
    body: ['email', 'external_id', 'campaign_id', 'first_name', 'last_name'],
    status: 201,
  },
  {
    method: 'POST',
    path: '/api/v1/affiliates/portal_link',
    body: ['email', 'external_id', 'campaign_id', 'first_name', 'last_name'],
    status: 201,
  },
  { method: 'GET', path: '/api/v1/assets', query: ['page', 'limit'], status: 200 },
  { method: 'GET', path: '/api/v1/assets/{id}', status: 200 },
  {
    method: 'POST',
    path: '/api/v1/assets',
    body: ['name', 'description', 'content'],
    requiredBody: ['name', 'content'],
    status: 201,
  },
  { method: 'DELETE', path: '/api/v1/assets/{id}', status: 204 },
  { method: 'POST', path: '/api/v1/payouts/{id}/return', body: ['reason'], status: 200 },
  { method: 'GET', path: '/api/v1/analytics', query: ANALYTICS_PARAMETERS, status: 200 },
  {
    method: 'GET',
    path: '/api/v1/sales',
    query: [
      ...PAGE,
      'sort',
      'charged_since',
      'charged_until',
      'currency',
      'amount_from_cents',
      'amount_to_cents',
      'affiliate_id',
      'referral_id',
      'customer_id',
      'attributed',
      'livemode',
    ],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/sales/{id}', status: 200 },
  { method: 'GET', path: '/api/v1/sales/{id}/timeline', status: 200 },
  { method: 'POST', path: '/api/v1/sales/{id}/assign', body: ['affiliate_id', 'referral_id', 'dry_run'], status: 200 },
  {
    method: 'GET',
    path: '/api/v1/customers',
    query: [...PAGE, 'sort', 'search', 'created_since', 'created_until', 'expand'],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/customers/{id}', status: 200 },
  { method: 'GET', path: '/api/v1/customers/{id}/timeline', status: 200 },
  { method: 'GET', path: '/api/v1/affiliates/{id}/timeline', status: 200 },
  { method: 'GET', path: '/api/v1/referrals/{id}/timeline', status: 200 },
  { method: 'GET', path: '/api/v1/commissions/{id}/timeline', status: 200 },
  { method: 'GET', path: '/api/v1/payouts/{id}/timeline', status: 200 },
  { method: 'GET', path: '/api/v1/payout_runs', query: [...PAGE, 'state'], status: 200 },
  { method: 'GET', path: '/api/v1/payout_runs/{id}', status: 200 },
  { method: 'GET', path: '/api/v1/payout_runs/{id}/items', query: [...PAGE, 'state'], status: 200 },
  { method: 'GET', path: '/api/v1/search', query: ['q'], status: 200 },
  { method: 'GET', path: '/api/v1/overview', status: 200 },
  { method: 'GET', path: '/api/v1/overview/daily', query: ['from', 'to'], status: 200 },
  { method: 'GET', path: '/api/v1/overview/falling_due', status: 200 },
  { method: 'GET', path: '/api/v1/overview/top_affiliates', query: ['from', 'to', 'currency', 'limit'], status: 200 },
  {
    method: 'GET',
    path: '/api/v1/events',
    query: [...PAGE, 'type', 'subject_id', 'occurred_since', 'occurred_until'],
    status: 200,
  },
  { method: 'GET', path: '/api/v1/events/{id}', status: 200 },
];
