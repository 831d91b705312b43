/** Statements of the limit server: one per request, on the service's schema. */

const COMMISSION = `c.id, c.state, c.kind, c.amount_cents, c.currency, c.livemode, c.due_at, c.paid_at, c.voided_at, c.void_reason, c.review_status, c.review_reason, c.created_by, c.note, c.campaign_id,
  c.affiliate_id, c.referral_id, c.sale_id, c.adjusts_commission_id, c.rule_id, c.external_id, c.metadata, c.created_at, c.updated_at,
  (select payout_id from payout_item where commission_id = c.id) as payout_id`;

const EXPANDED = `${COMMISSION}, to_jsonb(campaign) as campaign, to_jsonb(sale) as sale, to_jsonb(referral) as referral,
  to_jsonb(customer) as customer, to_jsonb(affiliate) as affiliate`;

const RELATED = `join campaign on campaign.id = c.campaign_id join sale on sale.id = c.sale_id left join referral on referral.id = sale.referral_id
  left join customer on customer.id = referral.customer_id left join affiliate on affiliate.id = sale.affiliate_id`;

/** Common table expressions that write the events of `subject` (account_id, id, type, data) and their deliveries. */
const EVENTS = `event_row as (
    insert into event (id, account_id, sequence, type, subject_id, body, occurred_at)
    select evt, account_id, (random() * 9e15)::bigint, type, id,
      concat('{"id":', to_json(evt), ',"type":', to_json(type), ',"occurred_at":', to_json(wire_time(now())), ',"data":', data, '}'), now()
    from (select new_id('evt', now()) as evt, * from subject) subject
    returning id, account_id, type
  ), delivery as (
    insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
    select new_id('dlv', now()), e.account_id, endpoint.id, e.id, now(), now()
    from event_row e join webhook_endpoint endpoint on endpoint.account_id = e.account_id
      and endpoint.active and endpoint.deleted_at is null and endpoint.event_types && array[e.type, split_part(e.type, '.', 1) || '.*', '*']
  )`;

export const READ = `select ${EXPANDED} from commission c ${RELATED} where c.account_id = $1 and c.id = $2`;

const FILTER = 'c.account_id = $1 and c.state = $2 and c.updated_at >= $3';

export const LIST = `select ${COMMISSION} from commission c where ${FILTER} order by c.id desc limit 25`;

export const LIST_AND_COUNT = `select (select count(*) from commission c where ${FILTER}) as total, ${COMMISSION}
  from commission c where ${FILTER} order by c.id desc limit 25`;

export const LIST_EXPANDED = `select ${EXPANDED} from (select * from commission c where ${FILTER} order by c.id desc limit 25) c ${RELATED} order by c.id desc`;

export const CREATE_AFFILIATE = `with created as (
    insert into affiliate (id, account_id, campaign_id, email, state, psp_customer_id, created_at, updated_at)
    select new_id('aff', now()), account_id, id, $3, 'active',
      (select psp_customer_id from customer where account_id = $1 and lower(email) = lower($3)), now(), now()
    from campaign where account_id = $1 and id = $2 and archived_at is null
    returning *
  ), subject as (
    select account_id, id, type, json_build_object('id', id, 'email', email, 'state', state, 'campaign_id', campaign_id, 'first_name', first_name,
      'last_name', last_name, 'livemode', true, 'created_at', wire_time(created_at), 'updated_at', wire_time(updated_at)) as data
    from created, unnest(array['affiliate.created', 'affiliate.approved']) type
  ), ${EVENTS}
  select id, campaign_id, email, first_name, last_name, state, null as walleta_email, null as walletb_email, external_id, metadata, psp_customer_id, payouts_held_until, archived_at, erased_at, true as livemode, created_at, updated_at
  from created`;

export const RECORD_SALE = `with known as (
    select referral.*, campaign.commission_basis_points, campaign.days_until_commissions_are_due, affiliate.email, affiliate.first_name, affiliate.last_name
    from referral join campaign on campaign.id = referral.campaign_id join affiliate on affiliate.id = referral.affiliate_id
    where referral.account_id = $1 and referral.id = $2
    for no key update of affiliate
  ), sold as (
    insert into sale (id, account_id, referral_id, affiliate_id, named_referral_id, external_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency,
      charged_at, created_at, updated_at)
    select new_id('sale', now()), account_id, id, affiliate_id, id, $3, $4, 0, 0, $5, now(), now(), now() from known
    returning *
  ), earned as (
    insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at,
      created_at, updated_at)
    select new_id('com', now()), sold.account_id, known.campaign_id, sold.affiliate_id, sold.referral_id, sold.id, 'sale', 'pending',
      round(sold.charge_amount_cents * known.commission_basis_points / 10000.0), sold.currency, known.commission_basis_points,
      now() + make_interval(days => known.days_until_commissions_are_due), now(), now()
    from sold, known
    returning *
  ), subject as (
    select account_id, id, 'commission.created' as type, json_build_object('id', id, 'state', state, 'kind', kind, 'amount_cents', amount_cents,
      'currency', currency, 'livemode', livemode, 'due_at', wire_time(due_at), 'paid_at', null, 'voided_at', null, 'void_reason', null, 'review_status', null, 'review_reason', null, 'created_by', null, 'note', null,
      'campaign_id', campaign_id, 'affiliate_id', affiliate_id, 'referral_id', referral_id, 'sale_id', sale_id, 'payout_id', null,
      'adjusts_commission_id', null, 'created_at', wire_time(created_at), 'updated_at', wire_time(updated_at)) as data
    from earned
    union all
    select account_id, id, 'sale.recorded', json_build_object('id', id, 'external_id', external_id, 'customer_id', customer_id, 'referral_id',
      referral_id, 'affiliate_id', affiliate_id, 'charge_amount_cents', charge_amount_cents, 'tax_amount_cents', tax_amount_cents,
      'refund_amount_cents', refund_amount_cents, 'currency', currency, 'livemode', livemode, 'charged_at', wire_time(charged_at),
      'created_at', wire_time(created_at), 'updated_at', wire_time(updated_at))
    from sold
  ), ${EVENTS}
  select sold.*, known.conversion_state, known.email, known.first_name, known.last_name, to_jsonb(earned) as commission from sold, known, earned`;

export const STORE_FACTS = `insert into psp_event (account_id, connection_id, psp_event_id, livemode, type, occurred_at, payload, state, received_at,
    next_attempt_at)
  select connection.account_id, connection.id, told.id, true, told.type, now(), told.payload, 'pending', now(), now()
  from connection, unnest($2::text[], $3::text[], $4::text[]) as told (id, type, payload)
  where connection.id = $1 and connection.state = 'connected'
  on conflict do nothing`;

export const CLICK = `with target as (
    select link.id, link.account_id, link.url, link.token, link.affiliate_id, link.campaign_id, campaign.days_before_referrals_expire
    from link join campaign on campaign.id = link.campaign_id join affiliate on affiliate.id = link.affiliate_id
    where lower(link.token) = $2 and link.account_id = $1 and link.archived_at is null and campaign.archived_at is null
      and affiliate.archived_at is null and affiliate.state = 'active'
  ), started as (
    insert into referral (id, account_id, affiliate_id, campaign_id, link_id, conversion_state, expires_at, created_at, updated_at)
    select new_id('ref', now()), account_id, affiliate_id, campaign_id, id, 'visitor', now() + make_interval(days => days_before_referrals_expire), now(), now()
    from target
    returning *
  ), subject as (
    select account_id, id, 'referral.created' as type, json_build_object('id', id, 'affiliate_id', affiliate_id, 'campaign_id', campaign_id,
      'link_id', link_id, 'conversion_state', conversion_state, 'customer_id', null, 'psp_customer_id', null, 'livemode', true, 'expires_at', wire_time(expires_at),
      'created_at', wire_time(created_at), 'updated_at', wire_time(updated_at)) as data
    from started
  ), ${EVENTS}, counted as (
    insert into link_clicks (link_id, day, account_id, clicks) select id, current_date, account_id, 1 from target
    on conflict (link_id, day) do update set clicks = link_clicks.clicks + 1
  ), clicked as (
    insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, referral_id, rule, visitor_key, is_unique)
    select current_date, now(), target.account_id, target.id, target.affiliate_id, target.campaign_id, started.id, 'first_click', '\\x00'::bytea,
      not exists (select from click known where known.day = current_date and known.link_id = target.id and known.visitor_key = '\\x00'::bytea)
    from target, started
  )
  select target.url, target.token, started.id, started.expires_at from target, started`;

export const ELIGIBLE = `select p.id, p.affiliate_id, 'due' as state, p.amount_cents, p.currency, p.livemode, p.commissions_count, true as eligible, '{}'::text[] as ineligible_reasons,
    p.payment_reference, p.paid_at, p.returned_at, p.return_reason, p.external_id, p.metadata, p.created_at, p.updated_at
  from payout p join affiliate on affiliate.id = p.affiliate_id join campaign on campaign.id = affiliate.campaign_id
  where p.account_id = $1 and p.status = 'open' and p.amount_cents > 0 and affiliate.archived_at is null and affiliate.state = 'active'
    and (affiliate.payouts_held_until is null or affiliate.payouts_held_until <= now())
    and (p.currency <> campaign.minimum_payout_currency or p.amount_cents >= campaign.minimum_payout_cents)
  order by p.id desc`;
