import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { BRAND_NAME, type BrandColumns } from '../branding/branding.ts';

/** The states of an affiliate as the affiliate sees them. */
export const SHOWN_STATES = ['pending', 'active', 'disabled', 'rejected'] as const;

/** A user's affiliate record in one account, with the names and the brand to show for it. */
export interface Affiliation extends BrandColumns {
  account_name: string;
  affiliate_id: string;
  campaign_name: string;
  time_zone: string;
  state: 'pending' | 'active' | 'disabled' | 'suspicious' | 'rejected';
  joined_at: Instant;
  /** The merchant’s note on the application. */
  application_note: string | null;
}

/**
 * SQL condition: a row of `affiliate` belongs to a row of `auth_user`. Either it holds the user's id, which is set when the person accepts an
 * invitation or signs in by link. Or it has no user id, and its email address is the verified address of the user
 * (docs/rules/portal.md#affiliates-in-the-portal).
 */
export const IS_PERSON: RawBuilder<boolean> = sql`(
  affiliate.user_id = auth_user.id
  or (affiliate.user_id is null and auth_user.email_verified and lower(affiliate.email) = lower(auth_user.email)))`;

/**
 * SQL condition: a row of `affiliate` keeps its portal. An archived affiliate with commissions does, because they may be owed money and need statements
 * (docs/rules/portal.md#affiliates-in-the-portal).
 */
export const KEEPS_PORTAL: RawBuilder<boolean> = sql`(
  affiliate.archived_at is null or exists (select from commission where commission.affiliate_id = affiliate.id))`;

/** SQL expression: the state of a row of `affiliate` that decides about its portal. An archived affiliate is treated like a disabled one. */
export const PORTAL_STATE: RawBuilder<Affiliation['state']> = sql`(
  case when affiliate.archived_at is not null and affiliate.state <> 'rejected' then 'disabled' else affiliate.state end)`;

/** True if some user can sign in as the affiliate. */
export async function hasPerson(db: Db, affiliateId: string): Promise<boolean> {
  const { rows } = await sql`
    select from affiliate where id = ${affiliateId} and exists (select from auth_user where ${IS_PERSON})`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the user's affiliations, one per live account, ordered by account name. An archived affiliate counts only without another one in the account.
 */
export async function affiliationsOf(db: Db, userId: string): Promise<Affiliation[]> {
  const { rows } = await sql<Affiliation>`
    select distinct on (account.name, account.id) account.id as account_id, ${BRAND_NAME} as account_name, affiliate.id as affiliate_id,
      account.brand_color, account.logo_hash, account.support_email,
      campaign.name as campaign_name, account.time_zone, ${PORTAL_STATE} as state, affiliate.created_at as joined_at, affiliate_application.note as application_note
    from auth_user
    join affiliate on ${IS_PERSON} and ${KEEPS_PORTAL} and affiliate.livemode
    join account on account.id = affiliate.account_id
    join campaign on campaign.id = affiliate.campaign_id
    left join affiliate_application on affiliate_application.affiliate_id = affiliate.id
    where auth_user.id = ${userId}
    order by account.name, account.id, affiliate.archived_at is not null, affiliate.user_id nulls last, affiliate.id`.execute(db);
  return rows;
}

/** Returns the user's affiliate in an account. Null when the user is not an affiliate there, whether or not the account exists. */
export async function affiliationIn(
  db: Db,
  accountId: string,
  userId: string,
): Promise<Pick<Affiliation, 'affiliate_id' | 'state'> | null> {
  const { rows } = await sql<Pick<Affiliation, 'affiliate_id' | 'state'>>`
    select affiliate.id as affiliate_id, ${PORTAL_STATE} as state
    from auth_user join affiliate on ${IS_PERSON} and ${KEEPS_PORTAL}
    where auth_user.id = ${userId} and affiliate.account_id = ${accountId}
    order by affiliate.archived_at is not null, affiliate.user_id nulls last, affiliate.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Maps an affiliate's state to the one that the affiliate sees. Suspicion is shown to the merchant only, so `suspicious` becomes `active`. */
export function shownState(state: Affiliation['state']): (typeof SHOWN_STATES)[number] {
  return state === 'suspicious' ? 'active' : state;
}
