import { Migration } from '@mikro-orm/migrations';

/** Adds connectors that assistants obtain over OAuth, and the tables of the authorization server. */
export class Oauth extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

// The authentication library defines and writes the columns of the oauth_* tables. It stores lists as JSON text.
const STATEMENTS = [
  `create table oauth_client (
    id text collate "C" primary key,
    client_id text not null unique,
    client_secret text,
    client_discovery_id text,
    disabled boolean,
    skip_consent boolean,
    enable_end_session boolean,
    subject_type text,
    scopes text,
    client_credentials_scopes text,
    user_id text collate "C" references auth_user on delete cascade,
    created_at timestamptz(3),
    updated_at timestamptz(3),
    name text,
    uri text,
    icon text,
    contacts text,
    tos text,
    policy text,
    software_id text,
    software_version text,
    software_statement text,
    redirect_uris text not null,
    post_logout_redirect_uris text,
    backchannel_logout_uri text,
    backchannel_logout_session_required boolean,
    token_endpoint_auth_method text,
    application_type text,
    jwks text,
    jwks_uri text,
    grant_types text,
    response_types text,
    require_pkce boolean,
    dpop_bound_access_tokens boolean,
    reference_id text,
    metadata jsonb
  )`,
  `create index oauth_client_user on oauth_client (user_id)`,
  `create index oauth_client_age on oauth_client (created_at)`,

  `create table oauth_resource (
    id text collate "C" primary key,
    identifier text not null unique,
    name text not null,
    access_token_ttl integer,
    refresh_token_ttl integer,
    signing_algorithm text,
    signing_key_id text,
    allowed_scopes text,
    custom_claims jsonb,
    dpop_bound_access_tokens_required boolean,
    disabled boolean,
    created_at timestamptz(3),
    updated_at timestamptz(3),
    policy_version integer,
    metadata jsonb
  )`,
  `create table oauth_client_resource (
    id text collate "C" primary key,
    client_id text not null references oauth_client (client_id) on delete cascade,
    resource_id text not null references oauth_resource (identifier) on delete cascade,
    metadata jsonb,
    created_at timestamptz(3),
    unique (client_id, resource_id)
  )`,
  `create index oauth_client_resource_resource on oauth_client_resource (resource_id)`,

  // `reference_id` is the id of the connector that the token stands for.
  `create table oauth_refresh_token (
    id text collate "C" primary key,
    token text not null unique,
    client_id text not null references oauth_client (client_id) on delete cascade,
    session_id text collate "C" references auth_session on delete set null,
    user_id text collate "C" not null references auth_user on delete cascade,
    reference_id text collate "C",
    authorization_code_id text,
    resources text,
    requested_user_info_claims text,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    rotated_at timestamptz(3),
    rotation_replay_response text,
    rotation_replay_expires_at timestamptz(3),
    authenticated_at timestamptz(3),
    confirmation jsonb,
    scopes text not null
  )`,
  `create table oauth_access_token (
    id text collate "C" primary key,
    token text not null unique,
    client_id text not null references oauth_client (client_id) on delete cascade,
    session_id text collate "C" references auth_session on delete set null,
    user_id text collate "C" references auth_user on delete cascade,
    reference_id text collate "C",
    authorization_code_id text,
    resources text,
    requested_user_info_claims text,
    refresh_id text collate "C" references oauth_refresh_token on delete cascade,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    confirmation jsonb,
    scopes text not null
  )`,
  ...['oauth_refresh_token', 'oauth_access_token'].flatMap((table) =>
    ['client_id', 'session_id', 'user_id', 'reference_id', 'authorization_code_id', 'expires_at'].map(
      (column) => `create index ${table}_${column} on ${table} (${column})`,
    ),
  ),
  `create index oauth_access_token_refresh_id on oauth_access_token (refresh_id)`,

  `create table oauth_consent (
    id text collate "C" primary key,
    client_id text not null references oauth_client (client_id) on delete cascade,
    user_id text collate "C" references auth_user on delete cascade,
    reference_id text collate "C",
    resources text,
    requested_user_info_claims text,
    scopes text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index oauth_consent_client on oauth_consent (client_id, user_id)`,
  `create index oauth_consent_user on oauth_consent (user_id)`,
  `create index oauth_consent_reference on oauth_consent (reference_id)`,
  `create table oauth_client_assertion (id text collate "C" primary key, expires_at timestamptz(3) not null)`,

  // A connector has either its own token or an OAuth client. Each token of that client acts as the connector.
  `alter table connector
    alter column secret_hash drop not null,
    add column oauth_client_id text references oauth_client (client_id),
    add column authorized_by_user_id text collate "C" references auth_user on delete set null,
    add check ((secret_hash is null) = (oauth_client_id is not null))`,
  `create index connector_oauth_client on connector (oauth_client_id) where oauth_client_id is not null`,
  `create index connector_authorized_by on connector (authorized_by_user_id) where authorized_by_user_id is not null`,
];
