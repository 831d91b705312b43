import { type RawBuilder, sql } from 'kysely';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { IS_PERSON } from './affiliations.ts';

/** SQL expression: language of emails to a member. Needs the tables `auth_user` and `account` (docs/rules/platform.md#languages-of-mails). */
export const LANGUAGE_OF_MEMBER: RawBuilder<Language> = sql`coalesce(auth_user.language, account.mail_language)`;

/** SQL expression: language of emails to an affiliate. Needs the table `affiliate`. */
export const LANGUAGE_OF_AFFILIATE: RawBuilder<Language> = sql`coalesce(
  (select auth_user.language from auth_user where ${IS_PERSON}),
  (select application.language from affiliate_application application where application.affiliate_id = affiliate.id),
  (select account.mail_language from account where account.id = affiliate.account_id))`;

/** Returns the language of emails to an affiliate. */
export async function languageOfAffiliate(db: Db, affiliateId: string): Promise<Language> {
  const { language } = await db
    .selectFrom('affiliate')
    .select(LANGUAGE_OF_AFFILIATE.as('language'))
    .where('id', '=', affiliateId)
    .executeTakeFirstOrThrow();
  return language;
}

/** Returns the language of emails that concern a person but no account. */
export async function languageOfPerson(db: Db, userId: string): Promise<Language> {
  const user = await db.selectFrom('auth_user').select('language').where('id', '=', userId).executeTakeFirst();
  return user?.language ?? 'en';
}

/**
 * Returns the language of emails to an address that a user or an affiliate has.
 *
 * @returns null if no user and no affiliate has the address
 */
export async function languageOfAddress(db: Db, email: string): Promise<Language | null> {
  const { rows } = await sql<{ language: Language | null }>`
    select language from (
      select language, 1 as rank from auth_user where ${sameText('email', email)}
      union all
      select ${LANGUAGE_OF_AFFILIATE}, 2 from affiliate where ${sameText('email', email)} and user_id is null and archived_at is null
    ) as person
    order by language is null, rank limit 1`.execute(db);
  const [person] = rows;
  return person ? (person.language ?? 'en') : null;
}
