import type { Instant } from '../../platform/time/instant.ts';

/*
 * Tables of the authorization server. The authentication library owns them and writes columns that are not listed here; lists are
 * JSON text. Secrets are kept as hashes, those of clients encrypted.
 */

export interface OauthClientTable {
  id: string;
  client_id: string;
  name: string | null;
  redirect_uris: string;
  created_at: Instant | null;
}

/** What access is for (RFC 8707): the address of the door for assistants. */
export interface OauthResourceTable {
  id: string;
  identifier: string;
  name: string;
  created_at: Instant | null;
  updated_at: Instant | null;
}

interface OauthTokenColumns {
  id: string;
  /** Its hash. */
  token: string;
  client_id: string;
  user_id: string | null;
  /** The connector that whoever holds it acts as. */
  reference_id: string | null;
  authorization_code_id: string | null;
  resources: string | null;
  expires_at: Instant;
  created_at: Instant;
  revoked_at: Instant | null;
}

export interface OauthAccessTokenTable extends OauthTokenColumns {
  refresh_id: string | null;
}

/** One that was exchanged for another stays, marked as revoked, until it expires: it is recognised when it is used again. */
export type OauthRefreshTokenTable = OauthTokenColumns;

export interface OauthConsentTable {
  id: string;
  client_id: string;
  user_id: string | null;
  reference_id: string | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    oauth_access_token: OauthAccessTokenTable;
    oauth_client: OauthClientTable;
    oauth_consent: OauthConsentTable;
    oauth_refresh_token: OauthRefreshTokenTable;
    oauth_resource: OauthResourceTable;
  }
}
