import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /**
     * Access to the portal of one affiliate. Until somebody enters the portal, `token_hash` is the hash of the link's token. Afterwards, it is
     * the hash of the page's token.
     */
    portal_access: {
      id: string;
      account_id: string;
      affiliate_id: string;
      kind: PortalAccessKind;
      /** The address to which a link of kind `mail` was sent. The access ends when the affiliate gets another address. */
      email: string | null;
      /** The member for whom a link of kind `view` was made. Null for other kinds. */
      viewer_user_id: string | null;
      token_hash: string;
      entered_at: Instant | null;
      expires_at: Instant;
      created_at: Instant;
    };
  }
}

/**
 * How a portal is opened. `link`: by the affiliate, from the merchant's own application. `embed`: by the affiliate, in a frame of that
 * application. `view`: by a member, who can only look. `mail`: by the affiliate, with an emailed link. `key`: by a program of the affiliate, which can only
 * read.
 */
export type PortalAccessKind = 'link' | 'view' | 'embed' | 'mail' | 'key';
