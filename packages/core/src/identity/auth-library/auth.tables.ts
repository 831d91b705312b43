import type { ColumnType, Generated } from 'kysely';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** Purpose of an email with a link. `guessed`: somebody has tried many passwords of the person. */
export type LinkKind = 'password_reset' | 'sign_in' | 'guessed' | 'portal';

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

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** Users. The authentication library owns the table and also writes columns that are not listed here. */
    auth_user: {
      id: string;
      email: string;
      email_verified: boolean;
      name: string;
      image: string | null;
      has_second_factor: Generated<boolean>;
      /** The person's language. Null until the first sign-in or until the person chooses one. */
      language: Generated<Language | null>;
      created_at: Instant;
      updated_at: Instant;
    };
    auth_credential: {
      id: string;
      user_id: string;
      account_id: string;
      provider_id: string;
      password: string | null;
      created_at: Instant;
      updated_at: Instant;
    };
    auth_session: {
      id: string;
      user_id: string;
      token: string;
      active_account_id: string | null;
      ip_address: string | null;
      user_agent: string | null;
      /** Time of last use. Null until the session is used ten minutes or more after it began. */
      last_seen_at: Instant | null;
      expires_at: Instant;
      created_at: Instant;
      updated_at: Instant;
    };
    /** Second factors. The authentication library owns the table and encrypts `secret` and `recovery_codes`. */
    auth_second_factor: {
      id: string;
      user_id: string;
      secret: string;
      recovery_codes: string;
      /** False until the person has entered the first code, which switches the second factor on. */
      verified: boolean;
      failed_attempts: number;
      unlocks_at: Instant | null;
    };
    auth_verification: {
      id: string;
      identifier: string;
      value: string;
      expires_at: Instant;
      created_at: Instant;
      updated_at: Instant;
    };
    auth_attempt: {
      key: string;
      attempts: number;
      window_ends_at: Instant;
    };
    /** A request for an email with a link. The email has not been written yet. Stored even if nobody has the address. */
    password_reset_request: {
      id: string;
      kind: ColumnType<LinkKind, LinkKind | undefined>;
      email: string;
      /** The account whose portal the link opens. Null unless `kind` is `portal`. */
      portal_account_id: ColumnType<string | null, string | null | undefined>;
      /** Name of the network of the requester. */
      network: ColumnType<string | null, string | null | undefined>;
      /** Number of requests of the network that waited when this one came. Requests are handled in the order of their turns. */
      turn: Generated<number>;
      /** End of the lease of the process that handles the request. */
      lease_until: Instant;
      expires_at: Instant;
    };
    oauth_access_token: OauthAccessTokenTable;
    /**
     * A client of the authorization server. The library owns the `oauth_` tables, too. Columns that hold lists contain JSON text, and tokens are stored as
     * hashes, client secrets encrypted.
     */
    oauth_client: {
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
    };
    oauth_consent: {
      id: string;
      client_id: string;
      user_id: string | null;
      reference_id: string | null;
    };
    oauth_refresh_token: OauthRefreshTokenTable;
    /** The resource that tokens are issued for (RFC 8707): the URL of the MCP server. */
    oauth_resource: {
      id: string;
      identifier: string;
      name: string;
      created_at: Instant | null;
      updated_at: Instant | null;
    };
  }
}
