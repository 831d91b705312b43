import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { BRAND_NAME, type BrandColumns } from '../branding/branding.ts';

/** The states of an affiliate as they read it. */
export const SHOWN_STATES = ['pending', 'active', 'disabled', 'rejected'] as const;

/** A person's place in the program of an account, as the affiliate that they are there. */
export interface Affiliation extends BrandColumns {
  account_name: string;
  affiliate_id: string;
  campaign_name: string;
  state: 'pending' | 'active' | 'disabled' | 'suspicious' | 'rejected';
  joined_at: Instant;
  /** The merchant’s note on the application. */
  application_note: string | null;
}

/**
 * Condition: a row of `affiliate` stands for the user in a row of `auth_user`. It holds the user's id since they accepted an invitation or
 * signed in by link; a row without a user belongs to the person whose verified e-mail address it has (docs/domain-rules.md#affiliates-in-the-portal).
 */
export const IS_PERSON: RawBuilder<boolean> = sql`(
  affiliate.user_id = auth_user.id
  or (affiliate.user_id is null and auth_user.email_verified and lower(affiliate.email) = lower(auth_user.email)))`;

/** Tells whether there is a person who can sign in as the affiliate. */
export async function hasPerson(db: Db, affiliateId: string): Promise<boolean> {
  const { rows } = await sql`
    select from affiliate where id = ${affiliateId} and exists (select from auth_user where ${IS_PERSON})`.execute(db);
  return rows.length > 0;
}

/** The accounts that a user is an affiliate of, by name. Archived affiliates have no access. */
export async function affiliationsOf(db: Db, userId: string): Promise<Affiliation[]> {
  const { rows } = await sql<Affiliation>`
    select distinct on (account.name, account.id) account.id as account_id, ${BRAND_NAME} as account_name, affiliate.id as affiliate_id,
      account.brand_color, account.logo_hash, account.support_email,
      campaign.name as campaign_name, affiliate.state, affiliate.created_at as joined_at, affiliate_application.note as application_note
    from auth_user
    join affiliate on ${IS_PERSON} and affiliate.archived_at is null
    join account on account.id = affiliate.account_id
    join campaign on campaign.id = affiliate.campaign_id
    left join affiliate_application on affiliate_application.affiliate_id = affiliate.id
    where auth_user.id = ${userId}
    order by account.name, account.id, affiliate.user_id nulls last, affiliate.id`.execute(db);
  return rows;
}

/** The affiliate that a user is in an account; null when they are none, whether or not the account exists. */
export async function affiliationIn(
  db: Db,
  accountId: string,
  userId: string,
): Promise<Pick<Affiliation, 'affiliate_id' | 'state'> | null> {
  const { rows } = await sql<Pick<Affiliation, 'affiliate_id' | 'state'>>`
    select affiliate.id as affiliate_id, affiliate.state
    from auth_user join affiliate on ${IS_PERSON} and affiliate.archived_at is null
    where auth_user.id = ${userId} and affiliate.account_id = ${accountId}
    order by affiliate.user_id nulls last, affiliate.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The state that the affiliate reads: a suspicion is the merchant's matter. */
export function shownState(state: Affiliation['state']): (typeof SHOWN_STATES)[number] {
  return state === 'suspicious' ? 'active' : state;
}
