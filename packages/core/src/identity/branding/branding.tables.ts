import type { Instant } from '../../platform/time/instant.ts';

/** Images that browsers show without running anything in them. SVG is not among them. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/**
 * Results of a check of a portal host that did not find this service. `unreachable`: no address, or no answer in time. `refused`: a private
 * address. `wrong_answer`: another server answers. `no_record`: no TXT record of the name names the account. `taken`: the portal of another account that
 * such a record names is under this name.
 */
export const PORTAL_HOST_FAILURES = ['unreachable', 'refused', 'wrong_answer', 'no_record', 'taken'] as const;
export type PortalHostFailure = (typeof PORTAL_HOST_FAILURES)[number];

declare module '../../platform/db/tables.ts' {
  interface Tables {
    account_logo: AccountLogoTable;
    portal_host: PortalHostTable;
  }
}

/** The logo of an account. Its hash is in the account's row, because most readers need no more. */
interface AccountLogoTable {
  account_id: string;
  content_type: (typeof LOGO_TYPES)[number];
  content: Buffer;
}

/** The host name of the merchant's own under which the portal of an account is. Of those that are verified, no two have the same name. */
interface PortalHostTable {
  account_id: string;
  host: string;
  verified_at: Instant | null;
  failure: PortalHostFailure | null;
  /** Time of the first of the checks that have failed since it last led here. */
  failing_since: Instant | null;
  check_at: Instant;
  created_at: Instant;
}
