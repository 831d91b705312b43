/** The affiliates who get the emails of a program, and the way to end them (docs/rules/program.md#who-gets-emails). */
import { type RawBuilder, sql } from 'kysely';
import { BRAND_NAME } from '../../identity/branding/branding.ts';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { recipientOf } from '../../platform/mail/budgets.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { AFFILIATE_MAIL_NAMES, isOfProgram } from './mail-catalog.ts';

/** SQL condition: the affiliate has signed in at least once, by link or by accepting an invitation. Needs a row of `affiliate`. */
const HAS_SIGNED_IN = sql<boolean>`(affiliate.user_id is not null)`;

/** SQL condition: the account of a row of `affiliate` mails affiliates who have never signed in, too. */
const MAILS_EVERYONE = sql<boolean>`(
  select program_emails = 'everyone' from account where account.id = affiliate.account_id)`;

/** SQL condition: a row of `affiliate` gets the emails of the program, if those who have never signed in get them. */
const WANTS_PROGRAM_MAILS = sql<boolean>`(affiliate.emails_ended_at is null and affiliate.erased_at is null and affiliate.livemode)`;

/** SQL condition: a row of `affiliate` gets the emails of the program. */
export const GETS_PROGRAM_MAILS: RawBuilder<boolean> = sql<boolean>`(
  ${WANTS_PROGRAM_MAILS} and (${HAS_SIGNED_IN} or ${MAILS_EVERYONE}))`;

/** SQL expressions: numbers of affiliates who would get the emails of the program under each choice of the account. Need rows of `affiliate`. */
export const COUNT_RECIPIENTS = {
  everyone: sql<number>`count(*) filter (where ${WANTS_PROGRAM_MAILS})`,
  signed_in: sql<number>`count(*) filter (where ${WANTS_PROGRAM_MAILS} and ${HAS_SIGNED_IN})`,
};

const PURPOSE = 'emails of the program to ';

/**
 * Returns the address with which an affiliate ends the emails of the program, and gets them again, without signing in. It works as long as
 * SECRET_KEY is the same, and does nothing else. Only a POST to it changes anything (RFC 8058), because mail programs open links to scan them. The
 * token is sealed, so that nobody can make an address for somebody else.
 */
export function endOfEmailsUrl({ publicUrl, secrets }: Pick<Services, 'publicUrl' | 'secrets'>, affiliateId: string): string {
  return `${publicUrl}/unsubscribe?token=${encodeURIComponent(secrets.seal(PURPOSE + affiliateId))}`;
}

/** A person's choice about some emails of an account. */
export interface EmailChoice {
  account_name: string;
  gets_emails: boolean;
}

/**
 * Returns whether the affiliate whom the token of an address names wants the emails of the program. With `wanted`, changes this.
 *
 * @param opened the decrypted token
 * @returns null for a token of another kind, and for an affiliate who does not exist any more
 */
export async function programMailChoice(services: Services, opened: string, wanted?: boolean): Promise<EmailChoice | null> {
  if (!opened.startsWith(PURPOSE)) return null;
  const id = opened.slice(PURPOSE.length);
  const {
    clock,
    database: { kysely: db },
  } = services;
  if (wanted !== undefined) await chooseProgramMails(db, id, { wanted, now: toInstant(clock.now()) });
  const choice = await db
    .selectFrom('affiliate')
    .innerJoin('account', 'account.id', 'affiliate.account_id')
    .select([BRAND_NAME.as('account_name'), 'affiliate.emails_ended_at'])
    .where('affiliate.id', '=', id)
    .where('affiliate.erased_at', 'is', null)
    .executeTakeFirst();
  return choice ? { account_name: choice.account_name, gets_emails: choice.emails_ended_at === null } : null;
}

/**
 * Ends the emails of the program to an affiliate, and to archived ones with the same address, and deletes those that wait to be sent. Or starts them
 * again. Does not change `updated_at`, because no record of an API shows this choice.
 */
export async function chooseProgramMails(
  db: Db,
  affiliateId: string,
  { wanted, now }: { wanted: boolean; now: Instant },
): Promise<void> {
  const { rows } = await sql<{ account_id: string; email: string }>`
    update affiliate set emails_ended_at = ${wanted ? null : now}::timestamptz
    from affiliate chosen
    where chosen.id = ${affiliateId} and affiliate.account_id = chosen.account_id and lower(affiliate.email) = lower(chosen.email)
      and (affiliate.emails_ended_at is null) <> ${wanted}::boolean
    returning affiliate.account_id, affiliate.email`.execute(db);
  const [changed] = rows;
  if (!changed || wanted) return;
  await db
    .deleteFrom('outgoing_mail')
    .where('account_id', '=', changed.account_id)
    .where('recipient', '=', recipientOf(changed.email))
    .where('kind', 'in', AFFILIATE_MAIL_NAMES.filter(isOfProgram))
    .execute();
}
