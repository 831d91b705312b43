/**
 * Tables of the authorization server. The authentication library owns them and writes columns that are not declared here. Columns that hold lists
 * contain JSON text. Tokens are stored as hashes, client secrets encrypted.
 */
import type { Instant } from '../../platform/time/instant.ts';

interface OauthClientTable {
  id: string;
  /** A random id, or the address of the client's metadata document. */
  client_id: string;
  client_secret: string | null;
  name: string | null;
  redirect_uris: string;
  /** Scopes that the client may ask for. Null for all. */
  scopes: string | null;
  created_at: Instant | null;
  updated_at: Instant | null;
}

/** The resource that tokens are issued for (RFC 8707): the URL of the MCP server. */
interface OauthResourceTable {
  id: string;
  identifier: string;
  name: string;
  created_at: Instant | null;
  updated_at: Instant | null;
}

interface OauthTokenColumns {
  id: string;
  /** Hash of the token. */
  token: string;
  client_id: string;
  user_id: string | null;
  /** Id of the connector that the token acts as. */
  reference_id: string | null;
  authorization_code_id: string | null;
  resources: string | null;
  expires_at: Instant;
  created_at: Instant;
  revoked_at: Instant | null;
}

interface OauthAccessTokenTable extends OauthTokenColumns {
  refresh_id: string | null;
}

/** Refresh tokens. One that was exchanged is marked as revoked and kept until it expires, so that a second use is recognized. */
type OauthRefreshTokenTable = OauthTokenColumns;

interface OauthConsentTable {
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
