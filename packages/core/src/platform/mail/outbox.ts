import { sql } from 'kysely';
import { newId } from '../wire/ids.ts';
import type { Services } from '../call/context.ts';
import type { Db } from '../db/database.ts';
import { type Instant, plusMilliseconds, toInstant } from '../time/instant.ts';
import type { Mail } from './mailer.ts';

/** Time after which another process takes over a message that is being sent. Longer than any mailer waits. */
const LEASE_MS = 120_000;
/** Minutes until the next attempt, by number of failed attempts. After the last entry the message is not attempted again. */
const RETRY_MINUTES = [1, 5, 30, 120, 480, 1440];
const BATCH = 20;

/**
 * Writes a message to the outbox in the caller's transaction. The message is sent if, and only if, the transaction commits. It is sent
 * at least once: if a process dies while sending it, a later sweep sends it again. Send a `mail` job after the commit, so that it is sent soon.
 *
 * @param expiresAt time at which the message becomes useless and is deleted, sent or not
 */
export async function enqueueMail(services: Services, db: Db, mail: Omit<Mail, 'id'>, expiresAt: Instant): Promise<void> {
  await enqueueMails(services, db, [mail], expiresAt);
}

/** Like `enqueueMail`, for many messages. */
export async function enqueueMails(
  services: Services,
  db: Db,
  mails: readonly Omit<Mail, 'id'>[],
  expiresAt: Instant,
): Promise<void> {
  const now = toInstant(services.clock.now());
  const ids = mails.map(() => newId('mail', services.clock.now()));
  // Sealed, because the link in a message grants access.
  const sealed = mails.map((mail) => services.secrets.seal(JSON.stringify(mail)));
  await sql`
    insert into outgoing_mail (id, sealed_mail, attempts, next_attempt_at, expires_at, created_at)
    select id, sealed_mail, 0, ${now}::timestamptz, ${expiresAt}::timestamptz, ${now}::timestamptz
    from unnest(${ids}::text[], ${sealed}::text[]) as mail (id, sealed_mail)`.execute(db);
}

/** Sends all due messages and deletes expired ones. Several processes may run it at once. Returns the number sent. */
export async function sendDueMail(services: Services): Promise<number> {
  const db = services.database.kysely;
  let sent = 0;
  await db.deleteFrom('outgoing_mail').where('expires_at', '<=', toInstant(services.clock.now())).execute();
  for (;;) {
    const claimed = await claim(db, toInstant(services.clock.now()));
    const results = await Promise.all(claimed.map((row) => sendOne(services, db, row)));
    sent += results.filter(Boolean).length;
    if (claimed.length < BATCH) return sent;
  }
}

interface Claimed {
  id: string;
  sealed_mail: string;
  attempts: number;
}

async function claim(db: Db, now: Instant): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update outgoing_mail
    set attempts = attempts + 1, next_attempt_at = ${plusMilliseconds(now, LEASE_MS)}::timestamptz
    where id in (
      select id from outgoing_mail where next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${BATCH} for update skip locked
    )
    returning id, sealed_mail, attempts`.execute(db);
  return rows;
}

async function sendOne(services: Services, db: Db, { id, sealed_mail, attempts }: Claimed): Promise<boolean> {
  try {
    const mail = JSON.parse(services.secrets.open(sealed_mail)) as Omit<Mail, 'id'>;
    await services.mailer.send({ id, ...mail });
  } catch (error) {
    services.log.warn({ err: error, mail_id: id, attempts }, 'an email could not be sent');
    const minutes = RETRY_MINUTES[attempts - 1];
    const next_attempt_at = minutes === undefined ? null : plusMilliseconds(toInstant(services.clock.now()), minutes * 60_000);
    await db
      .updateTable('outgoing_mail')
      .set({ next_attempt_at, last_error: String(error) })
      .where('id', '=', id)
      .execute();
    return false;
  }
  await db.deleteFrom('outgoing_mail').where('id', '=', id).execute();
  return true;
}
