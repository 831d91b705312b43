import { ApiError, quoted } from './api-error.ts';

/** Permission of a restricted key, as the provider names it in errors, by resource of the API. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  account: 'accounts_kyc_basic',
  coupons: 'coupon',
  promotion_codes: 'promotion_code',
  invoices: 'invoice',
  invoice_payments: 'invoice',
  payment_intents: 'payment_intent',
  subscriptions: 'subscription',
  prices: 'plan',
  events: 'event',
  customers: 'customer',
  checkout: 'checkout_session',
  webhook_endpoints: 'webhook',
};

/** Refuses a request for which a restricted key lacks the permission. The provider checks this before it looks at anything else. */
export function assertPermitted(
  {
    method,
    path,
    expand,
    secretKey,
    accountId,
  }: { method: string; path: string; expand: readonly string[]; secretKey: string; accountId: string },
  granted: ReadonlySet<string>,
): void {
  for (const resource of [
    path.split('/')[2] ?? '',
    ...expand.flatMap((field) => (field.endsWith('payment_intent') ? ['payment_intents'] : [])),
  ])
    assertPermission(PERMISSIONS[resource], { method, secretKey, accountId }, granted);
}

function assertPermission(
  permission: string | undefined,
  { method, secretKey, accountId }: { method: string; secretKey: string; accountId: string },
  granted: ReadonlySet<string>,
): void {
  if (permission === undefined) return;
  const write = `rak_${permission}_write`;
  const needed = method === 'GET' ? `rak_${permission}_read` : write;
  // Who may write may read.
  if (granted.has(needed) || granted.has(write)) return;
  throw new ApiError(403, {
    type: 'invalid_request_error',
    message: `The provided key '${quoted(secretKey)}' does not have the required permissions for this endpoint on account '${accountId}'. Having the '${needed}' permission would allow this request to continue.`,
  });
}
