import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../call/context.ts';
import { changeApart, claimDue, isNotIn } from '../db/claim.ts';
import type { Db } from '../db/database.ts';
import type { TableRow } from '../db/tables.ts';
import { Leftovers } from '../sweeps/failures.ts';
import { type Instant, plusMilliseconds } from '../time/instant.ts';

/** Time after which another process takes over a message that is being sent. The sending process renews it. */
const LEASE_MS = 120_000;
/** Minutes until the next attempt, by number of failed attempts. After the last entry the message is not attempted again. */
const RETRY_MINUTES = [1, 5, 30, 120, 480, 1440];
/** Maximum number of minutes for which a busy host gets no messages. */
const MOST_BUSY_MINUTES = 60;

/** A message that this process sends, until its lease ends. */
export type ClaimedMail = Pick<
  TableRow<'outgoing_mail'>,
  'id' | 'account_id' | 'is_urgent' | 'kind' | 'recipient' | 'host' | 'is_joined' | 'sealed_mail' | 'attempts'
>;

/** Of the attempts, the number includes the coming one. */
const COLUMNS = sql<ClaimedMail>`
  outgoing_mail.id, outgoing_mail.account_id, outgoing_mail.kind, outgoing_mail.recipient, is_urgent, host, is_joined, sealed_mail, attempts`;

/** SQL: the changes that claim a message. */
const claiming = (now: Instant) =>
  sql`attempts = attempts + 1, next_attempt_at = ${plusMilliseconds(now, LEASE_MS)}::timestamptz`;

type MailServices = Pick<Services, 'database' | 'log'>;

/** Messages that were claimed, and whether more may be due. */
interface ClaimedMails {
  rows: ClaimedMail[];
  mayBeMore: boolean;
}

/**
 * Claims at most `limit` due urgent messages, by their turns, of each turn the longest waiting first.
 *
 * @param left gets the messages that cannot be claimed, and names those to leave out
 */
export function claimUrgent(services: MailServices, now: Instant, limit: number, left: Leftovers): Promise<ClaimedMails> {
  return claimDue(
    services,
    {
      table: 'outgoing_mail',
      isDue: sql`is_urgent and next_attempt_at <= ${now}::timestamptz and expires_at > ${now}::timestamptz`,
      order: ['turn', 'next_attempt_at'],
      limit,
      set: claiming(now),
      returning: COLUMNS,
    },
    left,
  );
}

/** Messages that were claimed in the turn of their accounts. */
interface MailsInTurn extends ClaimedMails {
  /** The last account that had a turn. Undefined if no message was claimed. */
  lastAccount: string | undefined;
}

/**
 * Claims at most `limit` due messages that are not urgent. The turn goes round the accounts in the order of their ids, starting after `lastAccount`. Each account
 * gets one message before any of them gets a second. Messages that are joined count as one; `claimJoined` claims the others.
 *
 * @param left gets the messages that cannot be claimed, and names those to leave out
 */
export async function claimInTurn(
  services: MailServices,
  now: Instant,
  { lastAccount, limit }: { lastAccount: string; limit: number },
  left: Leftovers,
): Promise<MailsInTurn> {
  const db = services.database.kysely;
  // Of messages that are joined, only the first is claimed, and none while it is being sent or waits for its next attempt. Otherwise they would be
  // sent one by one.
  const isDue =
    () => sql`not is_urgent and next_attempt_at <= ${now}::timestamptz and expires_at > ${now}::timestamptz and ${isNotLeft('outgoing_mail', left)}
    and not (is_joined and exists (
      select from outgoing_mail other
      where other.is_joined and other.expires_at > ${now}::timestamptz and other.recipient = outgoing_mail.recipient and other.kind = outgoing_mail.kind
        and other.account_id = outgoing_mail.account_id and ${isNotLeft('other', left)}
        and (case when other.next_attempt_at > ${now}::timestamptz then other.attempts > 0
          else (other.next_attempt_at, other.id) < (outgoing_mail.next_attempt_at, outgoing_mail.id) end)))`;
  const chosen = () => sql`
    with recursive turn as (
      (select account_id, is_second_half, 1 as place from (
        (select account_id, false as is_second_half from outgoing_mail
         where ${isDue()} and account_id > ${lastAccount} order by account_id limit 1)
        union all
        (select account_id, true from outgoing_mail where ${isDue()} and account_id <= ${lastAccount} order by account_id limit 1)
      ) either order by is_second_half limit 1)
      union all
      select following.account_id, following.is_second_half, place + 1
      from turn cross join lateral (
        select * from (
          (select account_id, turn.is_second_half from outgoing_mail
           where ${isDue()} and account_id > turn.account_id and (not turn.is_second_half or account_id <= ${lastAccount})
           order by account_id limit 1)
          union all
          (select account_id, true from outgoing_mail
           where ${isDue()} and not turn.is_second_half and account_id <= ${lastAccount} order by account_id limit 1)
        ) either order by is_second_half limit 1) following
      where place < ${limit}
    ),
    chosen as (
      select mail.id, place from turn cross join lateral (
        select id, row_number() over (order by next_attempt_at, id) as nth from outgoing_mail
        where ${isDue()} and account_id = turn.account_id order by next_attempt_at, id limit ${limit}) mail
      order by nth, place limit ${limit}
    )`;
  const { rows, isShort } = await changeApart(
    services,
    {
      table: 'outgoing_mail',
      find: () => sql`${chosen()} select id as name from chosen order by place`,
      change: async (ids) => {
        const among =
          ids === null ? chosen() : sql`with chosen as (select * from unnest(${ids}::text[]) with ordinality mail (id, place))`;
        const claimed = await sql<ClaimedMail & { place: number }>`
          ${among}
          update outgoing_mail set ${claiming(now)}
          -- Repeats the condition, because another process may claim the same message first.
          from chosen where outgoing_mail.id = chosen.id and ${isDue()}
          returning ${COLUMNS}, place`.execute(db);
        return claimed.rows;
      },
    },
    left,
  );
  const [last] = rows.toSorted((one, other) => other.place - one.place);
  return { rows, mayBeMore: isShort || rows.length === limit, lastAccount: last?.account_id };
}

/**
 * Claims the other messages that are joined with a claimed one, the latest first.
 *
 * @param left gets the messages that cannot be claimed, and names those to leave out
 */
export async function claimJoined(
  services: MailServices,
  now: Instant,
  { id, account_id, kind, recipient }: ClaimedMail,
  left: Leftovers,
): Promise<ClaimedMail[]> {
  const db = services.database.kysely;
  const isDue = () => sql`is_joined and account_id = ${account_id} and kind = ${kind} and recipient = ${recipient} and id <> ${id}
    and (attempts = 0 or next_attempt_at <= ${now}::timestamptz) and ${isNotLeft('outgoing_mail', left)}`;
  const { rows } = await changeApart(
    services,
    {
      table: 'outgoing_mail',
      find: () => sql`select id as name from outgoing_mail where ${isDue()} order by id`,
      change: async (_, isWanted) => {
        const claimed = await sql<ClaimedMail>`
          update outgoing_mail set ${claiming(now)} where ${isDue()} and ${isWanted} returning ${COLUMNS}`.execute(db);
        return claimed.rows;
      },
    },
    left,
  );
  return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

function isNotLeft(table: string, left: Leftovers): RawBuilder<unknown> {
  return isNotIn(sql.ref(`${table}.id`), left);
}

/** Extends the leases of messages that are being sent. */
export async function renewLeases(db: Db, now: Instant, ids: readonly string[]): Promise<void> {
  await sql`update outgoing_mail set next_attempt_at = ${plusMilliseconds(now, LEASE_MS)}::timestamptz
    where id = any (${[...ids]}::text[])`.execute(db);
}

/** Deletes messages that the mail server has accepted, as one. Their host is no longer busy. */
export async function recordSent(db: Db, mails: readonly ClaimedMail[]): Promise<void> {
  await sql`
    with sent as (delete from outgoing_mail where id = any (${mails.map(({ id }) => id)}::text[]))
    delete from busy_mail_host where host = ${mails[0]!.host}`.execute(db);
}

/** Puts back messages that were not attempted, because the mail server takes no messages. The attempt does not count. */
export async function putBack(db: Db, mails: readonly ClaimedMail[], at: Instant): Promise<void> {
  await sql`update outgoing_mail set attempts = attempts - 1, next_attempt_at = ${at}::timestamptz
    where id = any (${mails.map(({ id }) => id)}::text[])`.execute(db);
}

/** Schedules the next attempt of messages. After the last attempt there is none. */
export async function recordFailure(db: Db, now: Instant, mails: readonly ClaimedMail[], error: string): Promise<void> {
  const minutes = RETRY_MINUTES[mails[0]!.attempts - 1];
  const next_attempt_at = minutes === undefined ? null : plusMilliseconds(now, minutes * 60_000);
  const ids = mails.map(({ id }) => id);
  await db.updateTable('outgoing_mail').set({ next_attempt_at, last_error: error }).where('id', 'in', ids).execute();
}

/**
 * Sends no more messages to a host for a while, longer with each failure. Urgent messages are still attempted, because their links expire soon.
 */
export async function recordBusyHost(services: MailServices, now: Instant, host: string): Promise<void> {
  const db = services.database.kysely;
  const { rows: busy } = await sql<{ busy_until: Instant }>`
    insert into busy_mail_host as known (host, failures, busy_until)
    values (${host}, 1, ${plusMilliseconds(now, 60_000)}::timestamptz)
    on conflict (host) do update set failures = known.failures + 1,
      busy_until = ${now}::timestamptz + least(power(2, known.failures), ${MOST_BUSY_MINUTES}) * interval '1 minute'
    where known.busy_until <= ${now}::timestamptz
    returning busy_until`.execute(db);
  const until = busy[0]?.busy_until;
  if (until === undefined) return;
  const waiting = sql`host = ${host} and not is_urgent and next_attempt_at < ${until}::timestamptz`;
  await changeApart(
    services,
    {
      table: 'outgoing_mail',
      find: () => sql`select id as name from outgoing_mail where ${waiting}`,
      change: async (_, isWanted) => {
        await sql`update outgoing_mail set next_attempt_at = ${until}::timestamptz where ${waiting} and ${isWanted}`.execute(db);
        return [];
      },
    },
    new Leftovers(),
  );
}

/** The kinds of messages of which some may be due. */
export interface MayBeDue {
  urgent: boolean;
  others: boolean;
}

/**
 * Deletes expired messages, also logged ones, and the hosts whose pause has been over for long. Returns the kinds of messages of which some are due, in the
 * same statement, because idle workers look often.
 */
export async function deleteExpiredMail(db: Db, now: Instant): Promise<MayBeDue> {
  const isDue = (urgency: RawBuilder<unknown>) =>
    sql`exists (select from outgoing_mail where ${urgency} and next_attempt_at <= ${now}::timestamptz)`;
  const { rows } = await sql<MayBeDue>`
    with forgotten as (delete from busy_mail_host where busy_until < ${plusMilliseconds(now, -3_600_000)}::timestamptz),
    expired as (delete from outgoing_mail where expires_at <= ${now}::timestamptz),
    expired_logged as (delete from logged_mail where expires_at <= ${now}::timestamptz)
    select ${isDue(sql`is_urgent`)} as urgent, ${isDue(sql`not is_urgent`)} as others`.execute(db);
  return rows[0]!;
}
