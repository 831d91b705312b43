import { MODE_OF_ACCOUNT, RECORD, TIMES } from './platform.ts';
/** Tables of the room `identity`: accounts, people, and the ways to sign in. */
export const IDENTITY = [
  // Tenants. Every record of a program belongs to one account.
  `create table account (
    id text collate "C" primary key,
    name text not null,
    currency text not null,
    deletion_scheduled_at timestamptz(3),
    code_before_link boolean not null default false,
    former_code_choices jsonb not null default '[]',
    payout_details_hold_days integer not null default 3,
    billing_details text,
    time_zone text not null default 'UTC',
    slug text not null,
    support_email text,
    approval text not null default 'manual',
    is_example boolean not null default false,
    test_of text collate "C" unique references account,
    clock_ahead_ms bigint not null default 0,
    application_questions jsonb not null default '[]',
    approved_domains jsonb not null default '[]',
    rejected_domains jsonb not null default '[]',
    embed_origins jsonb not null default '[]',
    brand_name text,
    brand_color text,
    logo_hash text,
    second_factor_required_from timestamptz(3),
    mail_language text not null default 'en',
    program_emails text not null default 'everyone' check (program_emails in ('everyone', 'signed_in')),
    payout_approval jsonb not null default '{"second_person": "never", "above": [], "daily_limits": null, "new_methods": false, "allowed_hours": null}',
    former_payout_approvals jsonb not null default '[]',
    payout_terms jsonb not null default '[]',
    payouts_stopped_at timestamptz(3),
    payout_screening text,
    screening_version text,
    shadow text not null default 'off' check (shadow in ('off', 'on', 'ending')),
    former_shadows jsonb not null default '[]',
    ${TIMES},
    check ((payout_screening is null) = (screening_version is null))
  )`,
  'create index account_deletion on account (deletion_scheduled_at) where deletion_scheduled_at is not null',
  'create index account_ahead on account (id) where clock_ahead_ms > 0',
  // A slug identifies one account.
  'create unique index account_slug on account (slug)',
  // Every slug that an account has had, so that links and sign-up pages with a former slug keep working, and no other account gets it.
  `create table program_slug (
    slug text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade
  )`,
  'create index program_slug_account on program_slug (account_id)',
  `create function keep_program_slug() returns trigger language plpgsql as $$
    begin
      insert into program_slug (slug, account_id) values (new.slug, new.id) on conflict (slug) do nothing;
      if not exists (select from program_slug where slug = new.slug and account_id = new.id) then
        raise unique_violation using constraint = 'account_slug', table = 'account';
      end if;
      return null;
    end
  $$`,
  'create trigger account_keeps_slug after insert or update of slug on account for each row execute function keep_program_slug()',

  // Logos that accounts show to their affiliates.
  `create table account_logo (
    account_id text collate "C" primary key references account,
    content_type text not null,
    content bytea not null
  )`,

  // Portals under the merchant's own host name.
  `create table portal_host (
    account_id text collate "C" primary key references account,
    host text not null,
    verified_at timestamptz(3),
    failure text,
    failing_since timestamptz(3),
    check_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  )`,
  'create unique index portal_host_verified on portal_host (host) where verified_at is not null',
  'create index portal_host_check on portal_host (check_at)',

  // Users. The authentication library defines the tables auth_*. They have this prefix, because the library calls a credential "account".
  `create table auth_user (
    id text collate "C" primary key,
    email text not null,
    email_verified boolean not null default false,
    name text not null,
    image text,
    has_second_factor boolean not null default false,
    language text,
    ${TIMES}
  )`,
  'create unique index auth_user_email on auth_user (lower(email))',
  // Better Auth compares addresses as they are.
  'create index auth_user_exact_email on auth_user (email)',

  `create table auth_credential (
    id text collate "C" primary key,
    user_id text collate "C" not null references auth_user on delete cascade,
    account_id text not null,
    provider_id text not null,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    scope text,
    access_token_expires_at timestamptz(3),
    refresh_token_expires_at timestamptz(3),
    ${TIMES}
  )`,
  'create index auth_credential_user on auth_credential (user_id)',

  `create table auth_session (
    id text collate "C" primary key,
    user_id text collate "C" not null references auth_user on delete cascade,
    token text not null unique,
    active_account_id text collate "C" references account on delete set null,
    ip_address text,
    user_agent text,
    expires_at timestamptz(3) not null,
    last_seen_at timestamptz(3),
    ${TIMES}
  )`,
  'create index auth_session_user on auth_session (user_id)',
  'create index auth_session_age on auth_session (expires_at)',

  `create table auth_verification (
    id text collate "C" primary key,
    identifier text not null,
    value text not null,
    expires_at timestamptz(3) not null,
    ${TIMES}
  )`,
  'create index auth_verification_identifier on auth_verification (identifier)',
  'create index auth_verification_age on auth_verification (expires_at)',

  // Number of attempts in a time window, per key. A key names the kind of attempt and who makes it. All processes share these counts.
  `create table auth_attempt (
    key text primary key,
    attempts integer not null,
    window_ends_at timestamptz(3) not null
  )`,
  'create index auth_attempt_age on auth_attempt (window_ends_at)',

  // Second factors of users (docs/rules/identity.md#second-factor). The authentication library defines the columns.
  `create table auth_second_factor (
    id text collate "C" primary key,
    user_id text collate "C" not null references auth_user on delete cascade,
    secret text not null,
    recovery_codes text not null,
    verified boolean not null default true,
    failed_attempts int not null default 0,
    unlocks_at timestamptz(3)
  )`,
  'create unique index auth_second_factor_user on auth_second_factor (user_id)',

  // Requests for links by email: password resets, sign-in links and portal links. A sweep writes the emails later, so that response times do not reveal
  // whether an address is known.
  `create table password_reset_request (
    id text collate "C" primary key,
    email text not null,
    lease_until timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    kind text not null default 'password_reset',
    portal_account_id text collate "C",
    network text,
    turn integer not null default 0
  )`,
  'create index password_reset_request_age on password_reset_request (expires_at)',

  // Links that sign a person in.
  `create table sign_in_link (
    token_hash text primary key,
    email text not null,
    expires_at timestamptz(3) not null
  )`,
  'create index sign_in_link_age on sign_in_link (expires_at)',

  `create table membership (
    account_id text collate "C" not null references account on delete cascade,
    user_id text collate "C" not null references auth_user on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member', 'finance', 'viewer')),
    ${TIMES},
    primary key (account_id, user_id)
  )`,
  'create index membership_user on membership (user_id)',

  // The emails that each member chose (docs/rules/identity.md#mails-to-members).
  `create table member_mail_choice (
    account_id text collate "C" not null,
    user_id text collate "C" not null,
    mails text[] not null,
    primary key (account_id, user_id),
    foreign key (account_id, user_id) references membership (account_id, user_id) on delete cascade
  )`,

  // The time up to which digests of each kind have been written.
  `create table member_mail_progress (
    account_id text collate "C" not null references account on delete cascade,
    mail text not null,
    until timestamptz(3) not null,
    primary key (account_id, mail)
  )`,

  // Links to the setup page of an installation without accounts.
  `create table setup_token (
    token_hash text collate "C" primary key,
    expires_at timestamptz(3) not null
  )`,

  `create table api_key (
    ${RECORD},
    name text not null,
    prefix text not null,
    secret_hash text not null unique,
    permissions jsonb not null,
    livemode boolean,
    created_by text collate "C" references auth_user on delete set null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    ${TIMES}
  )`,
  'create index api_key_list on api_key (account_id, id)',

  // The authentication library defines and writes the columns of the oauth_* tables. It stores lists as JSON text.
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
  'create index oauth_client_user on oauth_client (user_id)',
  'create index oauth_client_age on oauth_client (created_at)',

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
  'create index oauth_client_resource_resource on oauth_client_resource (resource_id)',

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
  'create index oauth_refresh_token_client_id on oauth_refresh_token (client_id)',
  'create index oauth_refresh_token_session_id on oauth_refresh_token (session_id)',
  'create index oauth_refresh_token_user_id on oauth_refresh_token (user_id)',
  'create index oauth_refresh_token_reference_id on oauth_refresh_token (reference_id)',
  'create index oauth_refresh_token_authorization_code_id on oauth_refresh_token (authorization_code_id)',
  'create index oauth_refresh_token_expires_at on oauth_refresh_token (expires_at)',

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
  'create index oauth_access_token_client_id on oauth_access_token (client_id)',
  'create index oauth_access_token_session_id on oauth_access_token (session_id)',
  'create index oauth_access_token_user_id on oauth_access_token (user_id)',
  'create index oauth_access_token_reference_id on oauth_access_token (reference_id)',
  'create index oauth_access_token_authorization_code_id on oauth_access_token (authorization_code_id)',
  'create index oauth_access_token_expires_at on oauth_access_token (expires_at)',
  'create index oauth_access_token_refresh_id on oauth_access_token (refresh_id)',

  `create table oauth_consent (
    id text collate "C" primary key,
    client_id text not null references oauth_client (client_id) on delete cascade,
    user_id text collate "C" references auth_user on delete cascade,
    reference_id text collate "C",
    resources text,
    requested_user_info_claims text,
    scopes text not null,
    ${TIMES}
  )`,
  'create index oauth_consent_client on oauth_consent (client_id, user_id)',
  'create index oauth_consent_user on oauth_consent (user_id)',
  'create index oauth_consent_reference on oauth_consent (reference_id)',

  `create table oauth_client_assertion (
    id text collate "C" primary key,
    expires_at timestamptz(3) not null
  )`,

  // Connectors of AI assistants. A connector has either its own token or an OAuth client. Each token of that client acts as the connector.
  `create table connector (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    name text not null,
    prefix text not null,
    secret_hash text unique,
    permissions jsonb not null,
    daily_pay_limits jsonb,
    live_only boolean not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    oauth_client_id text references oauth_client (client_id),
    authorized_by_user_id text collate "C" references auth_user on delete set null,
    created_by text collate "C" references auth_user on delete set null,
    ${TIMES},
    check ((secret_hash is null) = (oauth_client_id is not null))
  )`,
  // Amounts that connectors marked as paid in the last 24 hours, per connector and currency, for their daily limits.
  `create table connector_payment (
    account_id text collate "C" not null references account on delete cascade,
    connector_id text collate "C" not null references connector on delete cascade,
    subject text collate "C" not null,
    currency text not null,
    amount_cents bigint not null,
    counted_at timestamptz(3) not null,
    primary key (connector_id, subject, currency)
  )`,
  'create index connector_list on connector (account_id, id)',
  'create index connector_oauth_client on connector (oauth_client_id) where oauth_client_id is not null',
  'create index connector_authorized_by on connector (authorized_by_user_id) where authorized_by_user_id is not null',
];
