import { ApiError, quoted } from './api-error.ts';

/** Permission of a restricted key, as the provider names it in errors, by resource of the API. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  account: 'accounts_kyc_basic',
  coupons: 'coupon',
  promotion_codes: 'promotion_code',
  invoices: 'invoice',
  invoice_payments: 'invoice',
  subscriptions: 'subscription',
  prices: 'plan',
  events: 'event',
  charges: 'charge',
  refunds: 'charge',
  disputes: 'dispute',
  credit_notes: 'credit_note',
  customers: 'customer',
  checkout: 'checkout_session',
  webhook_endpoints: 'webhook',
};

/** Objects for which a request that expands them needs a permission of their own, by field. */
const EXPANDED: Readonly<Record<string, string>> = {
  'data.product': 'product',
  'data.payment.payment_intent': 'payment_intent',
};

interface PermittedRequest {
  method: string;
  path: string;
  /** The fields that the request expands. */
  expand: readonly string[];
  secretKey: string;
  accountId: string;
}

/** Refuses a request for which a restricted key lacks the permission. The provider checks this before it looks at anything else. */
export function assertPermitted(request: PermittedRequest, granted: ReadonlySet<string>): void {
  const permission = PERMISSIONS[request.path.split('/')[2] ?? ''];
  if (permission === undefined) return;
  assertGranted(request, permission, granted);
  for (const expanded of request.expand.flatMap((field) => EXPANDED[field] ?? [])) assertGranted(request, expanded, granted);
}

function assertGranted(
  { method, secretKey, accountId }: PermittedRequest,
  permission: string,
  granted: ReadonlySet<string>,
): void {
  const write = `rak_${permission}_write`;
  const needed = method === 'GET' ? `rak_${permission}_read` : write;
  // Who may write may read.
  if (granted.has(needed) || granted.has(write)) return;
  throw new ApiError(403, {
    type: 'invalid_request_error',
    message: `The provided key '${quoted(secretKey)}' does not have the required permissions for this endpoint on account '${accountId}'. Having the '${needed}' permission would allow this request to continue.`,
  });
}
