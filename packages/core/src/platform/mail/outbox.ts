import { sql } from 'kysely';
import type { Services } from '../call/context.ts';
import type { Db } from '../db/database.ts';
import { type Instant, toInstant } from '../time/instant.ts';
import { newId } from '../wire/ids.ts';
import type { Mail } from './mailer.ts';
import type { Purpose } from './purpose.ts';

/**
 * Writes a message to the outbox in the caller's transaction. The message is sent if, and only if, the transaction commits. It is sent
 * at least once: if a process dies while sending it, another process sends it again. Send the job of its purpose (`jobOf`) after the commit, so
 * that it is sent soon.
 *
 * @param expiresAt time at which the message becomes useless and is deleted, sent or not
 */
export async function enqueueMail(
  services: Services,
  db: Db,
  purpose: Purpose,
  mail: Omit<Mail, 'id'>,
  expiresAt: Instant,
): Promise<void> {
  await enqueueMails(services, db, purpose, [mail], expiresAt);
}

/** Like `enqueueMail`, for many messages. */
export async function enqueueMails(
  services: Services,
  db: Db,
  { kind, priority, accountId }: Purpose,
  mails: readonly Omit<Mail, 'id'>[],
  expiresAt: Instant,
): Promise<void> {
  const now = toInstant(services.clock.now());
  const ids = mails.map(() => newId('mail', services.clock.now()));
  const hosts = mails.map(({ to }) => hostOf(to));
  // Sealed, because the link in a message grants access.
  const sealed = mails.map((mail) => services.secrets.seal(JSON.stringify(mail)));
  await sql`
    insert into outgoing_mail (id, account_id, kind, is_urgent, host, sealed_mail, attempts, next_attempt_at, expires_at, created_at)
    select id, ${accountId ?? ''}, ${kind}, ${priority === 'urgent'}::boolean, host, sealed_mail, 0,
      greatest(${now}::timestamptz, case when ${priority !== 'urgent'}::boolean then busy_until end),
      ${expiresAt}::timestamptz, ${now}::timestamptz
    from unnest(${ids}::text[], ${hosts}::text[], ${sealed}::text[]) as mail (id, host, sealed_mail)
      left join busy_mail_host using (host)`.execute(db);
}

/** Returns the host of an email address, in lower case. */
function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
