import type { Instant } from '../../platform/time/instant.ts';

/** Types of images that browsers show without running scripts in them. SVG is excluded because it can contain scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/**
 * Reasons why the check of a portal host fails. `unreachable`: the host or its DNS records could not be read. `refused`: the host has a private
 * address. `wrong_answer`: another server answers. `no_record`: no TXT record of the host names the account. `taken`: the portal of another
 * account uses the host.
 */
export const PORTAL_HOST_FAILURES = ['unreachable', 'refused', 'wrong_answer', 'no_record', 'taken'] as const;
export type PortalHostFailure = (typeof PORTAL_HOST_FAILURES)[number];

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** The logo of an account. Its hash is stored in `account`, because most readers need only the hash. */
    account_logo: {
      account_id: string;
      content_type: (typeof LOGO_TYPES)[number];
      content: Buffer;
    };
    /** The merchant's own host name for the portal of an account. A host name is verified for at most one account. */
    portal_host: {
      account_id: string;
      host: string;
      verified_at: Instant | null;
      failure: PortalHostFailure | null;
      /** Time of the first failed check since the last successful one. Null after a successful check. */
      failing_since: Instant | null;
      check_at: Instant;
      created_at: Instant;
    };
  }
}
