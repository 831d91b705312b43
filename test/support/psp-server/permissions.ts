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
  customers: 'customer',
  checkout: 'checkout_session',
  webhook_endpoints: 'webhook',
};

interface PermittedRequest {
  method: string;
  path: string;
  /** True if the request expands the products of prices, for which it needs a permission of their own. */
  isProductExpanded: boolean;
  secretKey: string;
  accountId: string;
}

/** Refuses a request for which a restricted key lacks the permission. The provider checks this before it looks at anything else. */
export function assertPermitted(request: PermittedRequest, granted: ReadonlySet<string>): void {
  const permission = PERMISSIONS[request.path.split('/')[2] ?? ''];
  if (permission === undefined) return;
  assertGranted(request, permission, granted);
  if (request.isProductExpanded) assertGranted(request, 'product', granted);
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
