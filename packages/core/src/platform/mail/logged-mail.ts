import { sql } from 'kysely';
import type { Services } from '../call/context.ts';
import { type Instant, plusDays, toInstant } from '../time/instant.ts';
import type { ClaimedMail } from './due-mail.ts';
import type { Mail } from './mailer.ts';

/** Maximum number of logged messages that are kept per account. */
const KEPT = 100;
/** Days for which a logged message is kept. */
const KEPT_DAYS = 7;

/** A message that was only written to the log, as owners read it. */
export interface LoggedMail extends Pick<Mail, 'id' | 'to' | 'subject' | 'text'> {
  sent_at: Instant;
}

/**
 * True if owners may read the message while there is no mail server (docs/rules/platform.md#unsent-mail). False for messages that concern a person
 * and no account, and for urgent ones, because their links sign people in.
 */
export function isForOwners({ account_id, is_urgent }: Pick<ClaimedMail, 'account_id' | 'is_urgent'>): boolean {
  return account_id !== '' && !is_urgent;
}

/**
 * Moves messages from the outbox to the logged messages of their account, as one. Deletes the earliest of too many. Keeps nothing of an account that was
 * deleted meanwhile.
 */
export async function recordLogged(
  { database, secrets, clock }: Services,
  mails: readonly [ClaimedMail, ...ClaimedMail[]],
  { id, to, subject, text }: Mail,
): Promise<void> {
  const { account_id, recipient } = mails.at(-1)!;
  const now = toInstant(clock.now());
  await sql`
    with sent as (delete from outgoing_mail where id = any (${mails.map((mail) => mail.id)}::text[])),
    kept as (
      insert into logged_mail (id, account_id, recipient, sealed_mail, sent_at, expires_at)
      select ${id}, account.id, ${recipient}, ${secrets.seal(JSON.stringify({ to, subject, text }))}, ${now}::timestamptz,
        ${plusDays(now, KEPT_DAYS)}::timestamptz
      from account where account.id = ${account_id}
      on conflict (id) do nothing
    )
    -- The statement does not see the message that it inserts.
    delete from logged_mail where id in (
      select id from logged_mail where account_id = ${account_id} and id <> ${id} order by id desc offset ${KEPT - 1})`.execute(
    database.kysely,
  );
}

/** Returns the logged messages of an account, the latest first. Leaves out those that cannot be decrypted, e.g. after a change of the secret key. */
export async function listLoggedMail({ database, secrets, clock, log }: Services, accountId: string): Promise<LoggedMail[]> {
  const rows = await database.kysely
    .selectFrom('logged_mail')
    .select(['id', 'sealed_mail', 'sent_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', toInstant(clock.now()))
    .orderBy('id', 'desc')
    .execute();
  return rows.flatMap(({ id, sealed_mail, sent_at }) => {
    try {
      const { to, subject, text } = JSON.parse(secrets.open(sealed_mail)) as Pick<Mail, 'to' | 'subject' | 'text'>;
      return [{ id, to, subject, text, sent_at }];
    } catch (err) {
      log.warn({ err, account_id: accountId, mail_id: id }, 'an email could not be read');
      return [];
    }
  });
}
