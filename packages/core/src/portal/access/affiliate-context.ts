import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import { BRAND_NAME, PORTAL_HOST } from '../../identity/branding/branding.ts';
import { IS_LIVE_SALE } from '../../ledger/sales/sale.entity.ts';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IS_COUNTED } from '../../program/links/counted-referrals.ts';

/**
 * The context of a procedure for affiliates. It has no database connection. Rows can only be read through `mine`, which finds only the
 * affiliate's own rows.
 */
export interface AffiliateCtx {
  affiliate: PortalAffiliate;
  mine: OwnRows;
  now: Instant;
  /** The signed-in person. Null when the portal was opened by a link or token. */
  userId: string | null;
  /** Opens the affiliate's own sealed payout addresses. */
  secrets: SecretBox;
  payoutMethods: Services['payoutMethods'];
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  /** Returns the address of a file's content. */
  fileUrl: (
    file: { kind: 'asset'; id: string } | { kind: 'statement'; id: string; format: 'csv' | 'pdf'; language: Language },
  ) => string;
}

/**
 * The context of a mutation for affiliates, inside its transaction. Unlike `mine`, `tx` reaches the rows of other affiliates, so it is passed
 * only to services of the program, with ids found through `mine`.
 */
export interface AffiliateWriteCtx extends AffiliateCtx {
  tx: WriteCtx;
}

/** The affiliate whose portal is read. */
export interface PortalAffiliate {
  id: string;
  account_id: string;
}

/**
 * For each table, a query of the rows that an affiliate may see (docs/rules/portal.md#affiliates-in-the-portal). A portal query puts these queries in
 * a `with` clause under the tables' names, so that they hide the tables. They leave out test-mode records (referrals that only a test converted, sales, promo codes,
 * commissions and payouts), and mask customers and sale descriptions unless the campaign shows them. The order matters: a query that reads the table of another query
 * comes before that query, otherwise it would read the other query's rows instead of the table. If such a `with` clause is nested in another, the
 * queries of the inner clause read the rows of the outer clause instead of the tables. The result is the same.
 */
const OWN = {
  click: ({ id, account_id }) => sql`
    select * from click where account_id = ${account_id} and link_id = any(array(select id from link where affiliate_id = ${id}))`,
  click_rollup: ({ id, account_id }) =>
    sql`select * from click_rollup where account_id = ${account_id} and dimension = 'affiliate' and value = ${id}`,
  click_rollup_day: ({ id, account_id }) =>
    sql`select * from click_rollup_day where account_id = ${account_id} and dimension = 'affiliate' and value = ${id}`,
  click_rollup_progress: () => sql`select * from click_rollup_progress`,
  analytics_fact: ({ id, account_id }) =>
    sql`select * from analytics_fact where account_id = ${account_id} and affiliate_id = ${id}`,
  analytics_stale_day: ({ account_id }) => sql`select * from analytics_stale_day where account_id = ${account_id}`,
  referral_source: ({ id, account_id }) => sql`
    select referral_source.* from referral_source join referral on referral.id = referral_source.referral_id
    where referral.account_id = ${account_id} and referral.affiliate_id = ${id}`,
  referral: ({ id, account_id }) =>
    sql`select * from referral where account_id = ${account_id} and affiliate_id = ${id} and ${IS_COUNTED}`,
  reward_rule: ({ id, account_id }) => sql`
    select * from reward_rule where account_id = ${account_id} and ended_at is null and (affiliate_id is null or affiliate_id = ${id})
      and (link_id is null or link_id in (select id from link where affiliate_id = ${id}))
      and campaign_id in (select campaign_id from affiliate where id = ${id})`,
  tier: ({ id, account_id }) => sql`
    select * from tier where account_id = ${account_id} and ended_at is null
      and campaign_id in (select campaign_id from affiliate where id = ${id})`,
  affiliate_tier: ({ id, account_id }) =>
    sql`select * from affiliate_tier where account_id = ${account_id} and affiliate_id = ${id}`,
  sale_line: ({ id, account_id }) => sql`
    select line.* from sale_line line join sale on sale.id = line.sale_id where sale.account_id = ${account_id} and sale.affiliate_id = ${id}`,
  customer: ({ id }) => sql`
    select customer.id, customer.account_id,
      case when campaign.customers_visible_to_affiliates then customer.email else coalesce(left(customer.email, 1) || '•••@•••', '•••')
        || ' #' || upper(left(md5(customer.id || referral.affiliate_id), 5)) end as email,
      case when campaign.customers_visible_to_affiliates then customer.name end as name
    from referral join customer on customer.id = referral.customer_id join campaign on campaign.id = referral.campaign_id
    where referral.affiliate_id = ${id}`,
  sale: ({ id, account_id }) => sql`
    select sale.id, sale.account_id, sale.affiliate_id, sale.referral_id, sale.livemode, sale.customer_id, sale.charge_amount_cents, sale.tax_amount_cents,
      sale.refund_amount_cents, sale.credit_note_refund_cents, sale.credit_note_tax_cents, sale.imported_refund_cents, sale.currency, sale.charged_at, sale.promo_code,
      case when campaign.sale_description_visible_to_affiliates then sale.description end as description
    from sale join referral on referral.id = sale.referral_id join campaign on campaign.id = referral.campaign_id
    where sale.account_id = ${account_id} and sale.affiliate_id = ${id} and ${IS_LIVE_SALE}`,
  campaign: ({ id, account_id }) => sql`
    select * from campaign where account_id = ${account_id} and id in (
      select campaign_id from affiliate where id = ${id}
      union all select campaign_id from link where affiliate_id = ${id}
      union all select campaign_id from promo_code where affiliate_id = ${id})`,
  campaign_terms: ({ id, account_id }) => sql`
    select * from campaign_terms where account_id = ${account_id} and campaign_id in (select campaign_id from affiliate where id = ${id})`,
  payout_item: ({ id }) => sql`
    select payout_item.* from payout_item join payout on payout.id = payout_item.payout_id where payout.affiliate_id = ${id}`,
  returned_payout_item: ({ id }) => sql`
    select returned_payout_item.* from returned_payout_item join payout on payout.id = returned_payout_item.payout_id
    where payout.affiliate_id = ${id}`,
  link_clicks: ({ id }) =>
    sql`select link_clicks.* from link_clicks join link on link.id = link_clicks.link_id where link.affiliate_id = ${id}`,
  account: ({ account_id }) => sql`
    select id, slug, ${BRAND_NAME} as name, ${PORTAL_HOST} as portal_host, currency, time_zone, brand_color, logo_hash, support_email, billing_details, payout_terms
    from account where id = ${account_id}`,
  script_sight: ({ account_id }) => sql`select * from script_sight where account_id = ${account_id}`,
  affiliate: ({ id, account_id }) => sql`select * from affiliate where account_id = ${account_id} and id = ${id}`,
  link: ({ id, account_id }) => sql`select * from link where account_id = ${account_id} and affiliate_id = ${id}`,
  asset: ({ account_id }) => sql`select * from asset where account_id = ${account_id}`,
  payout_method: ({ id, account_id }) =>
    sql`select * from payout_method where account_id = ${account_id} and affiliate_id = ${id}`,
  payout_rail: ({ account_id }) => sql`select account_id, kind, mode, state from payout_rail where account_id = ${account_id}`,
  portal_access: ({ id }) => sql`
    select id, created_at, expires_at from portal_access where affiliate_id = ${id} and kind = 'key'`,
  email_change: ({ id }) => sql`select * from email_change where affiliate_id = ${id}`,
  program_terms: ({ account_id }) => sql`select * from program_terms where account_id = ${account_id}`,
  terms_acceptance: ({ id }) => sql`select * from terms_acceptance where affiliate_id = ${id}`,
  visitor_count: ({ id }) => sql`select * from visitor_count where affiliate_id = ${id}`,
  promo_code: ({ id, account_id }) =>
    sql`select * from promo_code where account_id = ${account_id} and affiliate_id = ${id} and livemode`,
  commission_line: ({ id, account_id }) => sql`
    select line.* from commission_line line join commission on commission.id = line.commission_id
    where commission.account_id = ${account_id} and commission.affiliate_id = ${id} and commission.livemode`,
  commission: ({ id, account_id }) =>
    sql`select * from commission where account_id = ${account_id} and affiliate_id = ${id} and livemode`,
  payout: ({ id, account_id }) =>
    sql`select * from payout where account_id = ${account_id} and affiliate_id = ${id} and livemode`,
  payout_attempt: ({ id, account_id }) => sql`
    select id, account_id, affiliate_id, payout_id, method, state, superseded, livemode, sealed_receiver, affiliate_fee_cents, arrived_at, expires_at
    from payout_attempt where account_id = ${account_id} and affiliate_id = ${id} and livemode`,
} as const satisfies Partial<Record<keyof Tables, RowsOf>>;

type RowsOf = (affiliate: PortalAffiliate) => RawBuilder<unknown>;
type OwnTable = keyof typeof OWN;

/** Reads the affiliate's own rows of the given tables. Tables outside `OWN` cannot be read. */
export interface OwnRows {
  /** Starts a Kysely query. */
  <Name extends OwnTable>(...tables: Name[]): Pick<QueryCreator<Pick<Tables, Name>>, 'selectFrom'>;
  /** Executes an SQL statement and returns its rows. */
  rows<Row>(tables: readonly OwnTable[], statement: RawBuilder<Row>): Promise<Row[]>;
}

/** Returns access to the rows of one affiliate. It is the only way to get an `OwnRows`. */
export function ownRowsOf(db: Db, affiliate: PortalAffiliate): OwnRows {
  const inOrder = (tables: readonly OwnTable[]) => (Object.keys(OWN) as OwnTable[]).filter((name) => tables.includes(name));
  const over = (...tables: OwnTable[]) =>
    inOrder(tables).reduce<Pick<QueryCreator<Tables>, 'with' | 'selectFrom'>>(
      // The cast gives the rows the table's type, although a query in `OWN` may leave columns out. Such columns are undefined.
      (creator, name) =>
        creator.with(
          (cte) => cte(name).notMaterialized(),
          () => sql`(${OWN[name](affiliate)})` as never,
        ) as never,
      db,
    );
  const rows = async <Row>(tables: readonly OwnTable[], statement: RawBuilder<Row>): Promise<Row[]> => {
    const sources = inOrder(tables).map((name) => sql`${sql.id(name)} as not materialized (${OWN[name](affiliate)})`);
    return (await sql<Row>`with ${sql.join(sources)} ${statement}`.execute(db)).rows;
  };
  return Object.assign(over as never, { rows }) as OwnRows;
}
