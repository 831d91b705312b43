import { MODE_OF_ACCOUNT, RECORD, TIMES, holdsMerchantData, holdsMetadata, keepsUpdatedAt, wordType } from './platform.ts';

/**
 * Returns the triggers by which a committed change of a table sends the account's id to all processes, so that they drop the account's cached
 * links.
 *
 * @param columns the columns that determine where a link leads, and whether it earns commissions
 */
function notifiesOfLinks(table: string, columns: readonly string[]): string[] {
  const values = (row: string) => columns.map((name) => `${row}.${name}`).join(', ');
  return [
    `create trigger ${table}_links_changed after update on ${table} for each row
      when ((${values('old')}) is distinct from (${values('new')})) execute function notify_of_links()`,
    `create trigger ${table}_links_deleted after delete on ${table} for each row execute function notify_of_links()`,
  ];
}

/** The parameters that the owner of a link adds to its address. */
export const TAGS = `utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    sub1 text,
    sub2 text,
    sub3 text,
    sub4 text,
    sub5 text`;

/** Tables of the room `program`. */
export const PROGRAM = [
  `create function notify_of_links() returns trigger language plpgsql as $$
     begin
       perform pg_notify('affiliate_links', old.account_id);
       return null;
     end $$`,

  `create table campaign (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    name text not null,
    slug text not null,
    url text not null,
    private boolean not null,
    private_tokens boolean not null,
    reward_type text not null check (reward_type in ('percent', 'fixed')),
    commission_basis_points integer check (commission_basis_points between 0 and 10000),
    commission_amount_cents bigint check (commission_amount_cents >= 0),
    commission_amount_currency text,
    minimum_payout_cents bigint not null check (minimum_payout_cents >= 0),
    minimum_payout_currency text not null,
    max_commission_period_months integer,
    max_commissions integer,
    days_before_referrals_expire integer not null,
    days_until_commissions_are_due integer not null,
    affiliate_dashboard_text text,
    custom_reward_description text,
    welcome_text text,
    customers_visible_to_affiliates boolean not null,
    sale_description_visible_to_affiliates boolean not null,
    parameter_type text not null check (parameter_type in ('query', 'hash')),
    params jsonb not null default '[]',
    psp_coupon_id text,
    is_default boolean not null,
    archived_at timestamptz(3),
    attribution text not null default 'first_click',
    terms_changed_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    rewarded_since timestamptz(3),
    ${TIMES},
    unique (account_id, slug)
  )`,
  `create table campaign_terms (
    campaign_id text collate "C" not null references campaign on delete cascade,
    until timestamptz(3) not null,
    account_id text collate "C" not null references account on delete cascade,
    archived boolean not null,
    commission_basis_points integer,
    commission_amount_cents bigint,
    commission_amount_currency text,
    max_commissions integer,
    max_commission_period_months integer,
    days_until_commissions_are_due integer not null,
    attribution text not null,
    days_before_referrals_expire integer not null,
    primary key (campaign_id, until)
  )`,
  'create unique index campaign_one_default on campaign (account_id) where is_default',
  'create index campaign_list on campaign (account_id, id) where archived_at is null',
  'create index campaign_updated on campaign (account_id, updated_at, id)',
  ...holdsMerchantData('campaign', 'archived_at is null'),
  keepsUpdatedAt('campaign'),
  ...notifiesOfLinks('campaign', ['url', 'archived_at', 'parameter_type', 'attribution', 'days_before_referrals_expire']),

  wordType('affiliate_state', ['pending', 'active', 'disabled', 'suspicious', 'rejected']),
  `create table affiliate (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    campaign_id text collate "C" not null references campaign,
    user_id text collate "C" references auth_user,
    email text not null,
    first_name text,
    last_name text,
    state affiliate_state not null,
    psp_customer_id text,
    archived_at timestamptz(3),
    payouts_held_until timestamptz(3),
    erased_at timestamptz(3),
    digest text not null default 'weekly',
    emails_ended_at timestamptz(3),
    billing_details text,
    external_id text,
    state_changed_at timestamptz(3),
    metadata jsonb not null default '{}',
    ${TIMES}
  )`,
  `create table affiliate_state_version (
    affiliate_id text collate "C" not null references affiliate on delete cascade,
    until timestamptz(3) not null,
    account_id text collate "C" not null references account on delete cascade,
    state text not null,
    archived boolean not null,
    primary key (affiliate_id, until)
  )`,
  // Where affiliates are paid. The hash of an account finds equal accounts.
  `create table payout_method (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    affiliate_id text collate "C" not null references affiliate on delete cascade,
    kind text not null,
    sealed_address text,
    sealed_account text,
    account_hash text,
    hint text not null,
    version integer not null,
    since timestamptz(3) not null,
    set_by text not null,
    retired_at timestamptz(3),
    ${TIMES},
    check (retired_at is not null or sealed_address is not null)
  )`,
  'create unique index payout_method_kind on payout_method (affiliate_id, kind) where retired_at is null',
  'create index payout_method_affiliate on payout_method (affiliate_id)',
  'create index payout_method_list on payout_method (account_id, id)',
  'create index payout_method_updated on payout_method (account_id, updated_at, id)',
  'create index payout_method_account on payout_method (account_id, account_hash) where account_hash is not null',
  keepsUpdatedAt('payout_method'),
  // Former versions are read with every sale, but hardly any record has some. PostgreSQL prepares a subquery for every execution of its statement,
  // and a function only when it is called.
  `create function former_states(affiliate_id text) returns json language sql stable as $$
    select json_agg(json_build_object('until', wire_time(until), 'state', former.state, 'archived', former.archived) order by until)
    from affiliate_state_version former where former.affiliate_id = $1 $$`,
  `create function former_terms(campaign_id text) returns json language sql stable as $$
    select json_agg(to_jsonb(former) || jsonb_build_object('until', wire_time(until)) order by until)
    from campaign_terms former where former.campaign_id = $1 $$`,
  'create unique index affiliate_email on affiliate (account_id, lower(email)) where archived_at is null',
  'create index affiliate_list on affiliate (account_id, id) where archived_at is null',
  'create index affiliate_campaign on affiliate (campaign_id, id)',
  'create index affiliate_psp_customer on affiliate (account_id, psp_customer_id) where psp_customer_id is not null',
  'create index affiliate_updated on affiliate (account_id, updated_at, id) where archived_at is null',
  'create index affiliate_archived_updated on affiliate (account_id, updated_at, id) where archived_at is not null',
  // The next two find a person's affiliates by user or by email address.
  'create index affiliate_user on affiliate (user_id) where user_id is not null',
  'create index affiliate_address on affiliate (lower(email)) where archived_at is null',
  // Searches by the beginning of an email address or a name.
  'create index affiliate_search_email on affiliate (account_id, lower(email) text_pattern_ops)',
  'create index affiliate_search_last_name on affiliate (account_id, lower(last_name) text_pattern_ops)',
  `create index affiliate_search_names on affiliate (account_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) text_pattern_ops)`,
  `create index affiliate_told_of_each on affiliate (account_id) where digest = 'each'`,
  'create index affiliate_archived on affiliate (account_id, id) where archived_at is not null',
  'create index affiliate_archived_email on affiliate (account_id, lower(email)) where archived_at is not null',
  ...holdsMerchantData('affiliate', 'archived_at is null'),
  keepsUpdatedAt('affiliate'),
  ...notifiesOfLinks('affiliate', ['state', 'archived_at']),

  `create table link (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    url text not null,
    token text not null,
    former_token text,
    token_replaced_at timestamptz(3),
    label text,
    archived_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    ${TIMES}
  )`,
  // The second index is for /t/<token>, whose URL does not name an account.
  'create unique index link_token on link (account_id, lower(token))',
  'create index link_token_lookup on link (lower(token))',
  'create unique index link_former_token on link (lower(former_token), account_id) where former_token is not null',
  // A former token is not given away. It was the token of its link, so a transaction that takes it meanwhile has waited for the unique index of tokens,
  // and sees it here.
  `create function keep_former_tokens() returns trigger language plpgsql as $$
     begin
       if exists (
         select from link where account_id = new.account_id and lower(former_token) = lower(new.token) and id <> new.id
       ) then
         raise exception 'A link had this token' using errcode = 'unique_violation', constraint = 'link_token';
       end if;
       return null;
     end $$`,
  'create trigger link_former_tokens_kept after insert or update of token on link for each row execute function keep_former_tokens()',
  // What a token looks like: tokens that people take for each other look the same.
  `create function token_look(token text) returns text language sql immutable strict parallel safe
     return replace(replace(translate(lower(token), '015i_-', 'olsl'), 'rn', 'm'), 'vv', 'w')`,
  'create index link_look on link (account_id, token_look(token))',
  'create index link_former_look on link (account_id, token_look(former_token)) where former_token is not null',
  'create index link_list on link (account_id, id) where archived_at is null',
  ...holdsMerchantData('link', 'archived_at is null'),
  keepsUpdatedAt('link'),
  'create index link_updated on link (account_id, updated_at, id) where archived_at is null',
  'create index link_archived_updated on link (account_id, updated_at, id) where archived_at is not null',
  'create index link_affiliate on link (affiliate_id, id)',
  'create index link_campaign on link (campaign_id)',
  'create index link_url on link (account_id, md5(url))',
  'create index link_archived on link (account_id, id) where archived_at is not null',
  ...notifiesOfLinks('link', ['token', 'former_token', 'url', 'archived_at', 'affiliate_id', 'campaign_id']),

  // Number of clicks per link and day, which is kept longer than the clicks.
  `create table link_clicks (
    link_id text collate "C" not null references link on delete cascade,
    day date not null,
    account_id text collate "C" not null references account on delete cascade,
    clicks bigint not null,
    primary key (link_id, day)
  )`,
  'create index link_clicks_account on link_clicks (account_id, day)',

  // Sites on which the tracking script of an account was seen.
  `create table script_sight (
    account_id text collate "C" not null references account on delete cascade,
    origin text collate "C" not null,
    seen_at timestamptz(3) not null,
    primary key (account_id, origin)
  )`,

  `create table customer (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    email text,
    name text,
    first_name text,
    last_name text,
    psp_customer_id text,
    trials jsonb not null default '[]',
    trial_until timestamptz(3),
    exclusions jsonb not null default '[]',
    joins jsonb not null default '[]',
    stray_reference text,
    erased_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    ${TIMES}
  )`,
  'create index customer_list on customer (account_id, id)',
  'create index customer_updated on customer (account_id, updated_at, id)',
  'create index customer_search_email on customer (account_id, lower(email) text_pattern_ops) where email is not null',
  'create index customer_search_name on customer (account_id, lower(name) text_pattern_ops) where name is not null',
  ...holdsMetadata('customer'),
  keepsUpdatedAt('customer'),
  // `value` is normalized when the identity becomes known, so that it is compared as text.
  wordType('identity_kind', ['email', 'psp_customer_id', 'external_customer_id', 'payer_id']),
  wordType('identity_source', ['merchant', 'provider', 'lead']),
  `create table customer_identity (
    account_id text collate "C" not null references account on delete cascade,
    kind identity_kind not null,
    value text collate "C" not null,
    customer_id text collate "C" not null references customer,
    verified boolean not null,
    source identity_source not null,
    created_at timestamptz(3) not null,
    primary key (account_id, kind, value)
  )`,
  'create index customer_identity_customer on customer_identity (customer_id)',

  // Erasures of personal data. `sealed_sought` holds what copies are searched for, until they are erased.
  `create table erasure (
    ${RECORD},
    kind text not null check (kind in ('customer', 'affiliate')),
    subject_id text collate "C" not null,
    sealed_sought text,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3),
    to_review jsonb not null,
    check ((sealed_sought is null) = (completed_at is not null))
  )`,
  'create index erasure_subject on erasure (account_id, subject_id)',
  'create index erasure_pending on erasure (id) where completed_at is null',
  `create table erased_identity (
    account_id text collate "C" not null references account on delete cascade,
    hash text not null,
    is_address boolean not null,
    erased_at timestamptz(3) not null,
    primary key (account_id, hash)
  )`,

  wordType('conversion_state', ['visitor', 'lead', 'conversion']),
  `create table referral (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    link_id text collate "C" references link,
    customer_id text collate "C" references customer,
    conversion_state conversion_state not null,
    converted_at timestamptz(3),
    converted_by_hand boolean not null default false,
    expires_at timestamptz(3),
    deactivated_at timestamptz(3),
    reactivated_at timestamptz(3),
    is_test boolean not null default false,
    is_derived boolean not null default false,
    external_id text,
    metadata jsonb not null default '{}',
    ${TIMES}
  )`,
  `create table referral_deactivation (
    referral_id text collate "C" not null references referral on delete cascade,
    until timestamptz(3) not null,
    account_id text collate "C" not null references account on delete cascade,
    deactivated_at timestamptz(3) not null,
    primary key (referral_id, until)
  )`,
  `create function former_deactivations(referral_id text) returns json language sql stable as $$
    select json_agg(json_build_object('from', wire_time(former.deactivated_at), 'until', wire_time(until)) order by until)
    from referral_deactivation former where former.referral_id = $1 $$`,
  // A customer belongs to at most one referral, whatever the state of that referral.
  'create unique index referral_customer on referral (customer_id) where customer_id is not null',
  'create index referral_list on referral (account_id, id)',
  'create index referral_campaign on referral (campaign_id, id)',
  'create index referral_updated on referral (account_id, updated_at, id)',
  'create index referral_state on referral (account_id, conversion_state, updated_at)',
  'create index referral_affiliate on referral (affiliate_id, conversion_state, id)',
  'create index referral_link on referral (link_id, conversion_state) where link_id is not null',
  `create index referral_purge on referral (expires_at) where conversion_state = 'visitor' and customer_id is null`,
  `create index referral_leads on referral (account_id, created_at) where conversion_state in ('lead', 'conversion')`,
  'create index referral_converted on referral (account_id, converted_at) where converted_at is not null',
  ...holdsMerchantData('referral'),
  keepsUpdatedAt('referral'),

  // The source of each referral, so that reports need not search all clicks for the first click of the referral.
  `create table referral_source (
    referral_id text collate "C" primary key references referral on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    landing_path text,
    referrer_host text,
    ${TAGS},
    country text,
    device text,
    browser text
  )`,
  'create index referral_source_account on referral_source (account_id)',

  // Number of visitors whose referrals were purged, per link and day of the visit.
  `create table visitor_count (
    account_id text collate "C" not null references account on delete cascade,
    affiliate_id text collate "C" not null references affiliate,
    link_id text collate "C" references link,
    day date not null,
    visitors bigint not null,
    constraint visitor_count_key unique nulls not distinct (affiliate_id, link_id, day)
  )`,
  'create index visitor_count_link on visitor_count (link_id) where link_id is not null',
  'create index visitor_count_day on visitor_count (account_id, day)',

  // Clicks, partitioned by day. Clicks have no foreign keys, because checking them would cost several look-ups per click. A click may therefore outlive
  // its referral. The default partition stores clicks of days without a partition.
  `create table click (
    day date not null,
    at timestamptz(3) not null,
    account_id text collate "C" not null,
    link_id text collate "C" not null,
    affiliate_id text collate "C" not null,
    campaign_id text collate "C" not null,
    referral_id text collate "C",
    rule text,
    bot_reason text,
    is_unique boolean not null,
    visitor_key bytea not null,
    referrer_host text,
    referrer_path text,
    landing_path text,
    ${TAGS},
    device text,
    browser text,
    os text,
    language text,
    country text
  ) partition by range (day)`,
  'create index click_account on click (account_id, at)',
  'create index click_visitor on click (link_id, visitor_key)',
  'create index click_referral on click (referral_id) where referral_id is not null',
  'create table click_default partition of click default with (autovacuum_analyze_threshold = 1000)',

  // Hours for which clicks were written late, perhaps after their hour was rolled up (docs/rules/reports.md#analytics).
  `create table late_click_hour (
    account_id text collate "C" not null references account on delete cascade,
    hour timestamptz(3) not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index late_click_hour_account on late_click_hour (account_id)',

  `create table invitation (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    kind text not null check (kind in ('member', 'affiliate')),
    email text not null,
    role text check (role in ('owner', 'admin', 'member', 'finance', 'viewer')),
    campaign_id text collate "C" references campaign,
    status text not null check (status in ('pending', 'accepted', 'revoked')),
    token_hash text not null unique,
    invited_by_user_id text collate "C" references auth_user on delete set null,
    accepted_by_user_id text collate "C" references auth_user on delete set null,
    affiliate_id text collate "C" references affiliate on delete set null,
    expires_at timestamptz(3) not null,
    resent_at timestamptz(3),
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    ${TIMES},
    check ((kind = 'member') = (role is not null)),
    check ((kind = 'affiliate') = (campaign_id is not null)),
    check ((status = 'accepted') = (accepted_at is not null)),
    check ((status = 'revoked') = (revoked_at is not null))
  )`,
  `create unique index invitation_one_pending on invitation (account_id, kind, lower(email)) where status = 'pending'`,
  'create index invitation_list on invitation (account_id, id)',
  'create index invitation_address on invitation (account_id, lower(email))',
  keepsUpdatedAt('invitation'),
  'create index invitation_updated on invitation (account_id, updated_at, id)',
  `create index invitation_email on invitation (lower(email)) where status = 'pending'`,

  // Accounts' own texts of emails to affiliates, by language.
  `create table mail_template (
    account_id text collate "C" not null references account,
    mail text not null,
    language text not null,
    subject text not null,
    body text not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, mail, language)
  )`,
  // Emails to affiliates that an account does not want to send.
  `create table unsent_mail (
    account_id text collate "C" not null references account on delete cascade,
    mail text not null,
    primary key (account_id, mail)
  )`,
];
