import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    portal_access: PortalAccessTable;
  }
}

/**
 * `link`: for the affiliate, from the merchant's own application. `embed`: for the affiliate, in a frame of that application. `view`: for a
 * member who looks at the portal of an affiliate. `mail`: for the affiliate, by mail.
 */
export type PortalAccessKind = 'link' | 'view' | 'embed' | 'mail';

/** Access to the portal of one affiliate. Before it is entered, the token is that of a link; afterwards, that of the page. */
interface PortalAccessTable {
  id: string;
  account_id: string;
  affiliate_id: string;
  kind: PortalAccessKind;
  /** The address that a link of kind `mail` was mailed to. It opens nothing once the affiliate has another one. */
  email: string | null;
  /** The member for whom a link of kind `view` was made. Null for other kinds, and on links that a former version made. */
  viewer_user_id: string | null;
  token_hash: string;
  entered_at: Instant | null;
  expires_at: Instant;
  created_at: Instant;
}
