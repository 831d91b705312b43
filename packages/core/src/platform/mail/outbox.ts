import { sql, type Generated } from 'kysely';
import type { Services } from '../call/context.ts';
import { liveAccountOf } from '../call/test-account-id.ts';
import type { Db } from '../db/database.ts';
import { type Instant, plusDays, toInstant } from '../time/instant.ts';
import { newId } from '../wire/ids.ts';
import { isUnblockedFor, type BlockReason } from './blocked-recipients.ts';
import { COUNTED_DAYS, MOST_A_DAY, recipientOf } from './budgets.ts';
import type { Mail, Purpose } from './mailer.ts';

declare module '../db/tables.ts' {
  interface Tables {
    outgoing_mail: {
      id: string;
      /** Empty for a message that concerns no account. */
      account_id: string;
      kind: string;
      is_urgent: boolean;
      /** Urgent messages are sent in the order of their turns. */
      turn: Generated<number>;
      /** The network and the account that have requested the message. */
      turn_names: Generated<string[]>;
      /** Hash of the recipient's address. */
      recipient: string;
      /** Host of the recipient's address. */
      host: string;
      /** True if the message waits to be joined with others of its kind to the same person. */
      is_joined: boolean;
      sealed_mail: string;
      attempts: number;
      next_attempt_at: Instant | null;
      last_error: string | null;
      expires_at: Instant;
      created_at: Instant;
    };
    /** A message that was only written to the log, because there is no mail server. */
    logged_mail: {
      id: string;
      account_id: string;
      /** Hash of the recipient's address. */
      recipient: string;
      /** Recipient, subject and text. */
      sealed_mail: string;
      sent_at: Instant;
      expires_at: Instant;
    };
    /** A host for which the mail server could not accept a message. */
    busy_mail_host: {
      host: string;
      /** Number of failures in a row. */
      failures: number;
      /** Time before which no message to the host is attempted, except urgent ones. */
      busy_until: Instant;
    };
    /** A message that was written in the last day, sent or not, for the budgets of accounts and persons. */
    posted_mail: {
      id: string;
      account_id: string;
      kind: string;
      recipient: string;
      posted_at: Instant;
    };
    /** An address that gets no messages. */
    blocked_recipient: {
      recipient: string;
      reason: BlockReason;
      blocked_at: Instant;
      expires_at: Instant;
    };
    /** A recipient who has complained, and whom an account mails again until the recipient complains again. */
    unblocked_recipient: {
      account_id: string;
      recipient: string;
      unblocked_at: Instant;
      /** Time at which the block ends by itself. */
      expires_at: Instant;
    };
  }
}

/** Maximum number of messages that are joined into one. */
const MOST_JOINED = 10;
/** Turn of the first message that is sent after the others: beyond all turns of those. */
const LATER = 1_000_000;
/** Domain of the people of the example. It is reserved, so nobody can read mail to it. */
export const DEMO_DOMAIN = 'demo.example';

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
  { kind, priority, accountId, turn }: Purpose,
  all: readonly Omit<Mail, 'id'>[],
  expiresAt: Instant,
): Promise<void> {
  const mails = all.filter(({ to }) => !isUnreadable(to, priority));
  if (mails.length === 0) return;
  const now = toInstant(services.clock.now());
  const ids = mails.map(() => newId('mail', services.clock.now()));
  const hosts = mails.map(({ to }) => hostOf(to));
  const recipients = mails.map(({ to }) => recipientOf(to));
  // Sealed, because the link in a message grants access.
  const sealed = mails.map((mail) => services.secrets.seal(JSON.stringify(mail)));
  const account = accountId ?? '';
  const counted = liveAccountOf(account);
  const isUrgent = priority === 'urgent';
  const names = turn === undefined ? [] : [turn.network, turn.account].filter((name) => name !== null);
  const { rows } = await sql<{ recipient: string }>`
    with given as (
      select * from unnest(${ids}::text[], ${hosts}::text[], ${recipients}::text[], ${sealed}::text[])
        as mail (id, host, recipient, sealed_mail)
      where not exists (
        select from blocked_recipient blocked
        where blocked.recipient = mail.recipient and blocked.expires_at > ${now}::timestamptz
          and (blocked.reason = 'no_such_recipient' or not ${isUrgent}::boolean)
          and not ${isUnblockedFor(sql`${account}::text`)})
        -- A person needs only one link at a time.
        and not (${turn !== undefined}::boolean and exists (
          select from outgoing_mail earlier
          where earlier.recipient = mail.recipient and earlier.kind = ${kind} and earlier.attempts = 0 and earlier.expires_at > ${now}::timestamptz
            and earlier.turn_names @> ${turn?.account ? [turn.account] : []}::text[]))
    ),
    posted as (
      insert into posted_mail (id, account_id, kind, recipient, posted_at)
      select id, ${counted}, ${kind}, recipient, ${now}::timestamptz from given where not ${isUrgent}::boolean
    ),
    written as (
      insert into outgoing_mail
        (id, account_id, kind, is_urgent, turn, turn_names, recipient, host, is_joined, sealed_mail, attempts, next_attempt_at, expires_at, created_at)
      select id, ${account}, ${kind}, ${isUrgent}::boolean,
        ${turn?.isLater ? LATER : 0}::integer + coalesce((
          select max(waiting) from (
            select count(*) as waiting from outgoing_mail, unnest(turn_names) name
            where is_urgent and name = any (${names}::text[]) group by name) of_name), 0)::integer,
        ${names}::text[], recipient, host, earlier.posted_at is not null, sealed_mail, 0,
        greatest(
          ${now}::timestamptz,
          earlier.posted_at + make_interval(days => ${COUNTED_DAYS}),
          case when not ${isUrgent}::boolean then busy_until end),
        ${expiresAt}::timestamptz, ${now}::timestamptz
      from given left join busy_mail_host using (host)
        left join lateral (
          select posted_at from posted_mail
          where recipient = given.recipient and kind = ${kind} and account_id = ${counted}
            and posted_at > ${plusDays(now, -COUNTED_DAYS)}::timestamptz
          order by posted_at desc offset ${MOST_A_DAY - 1} limit 1) earlier on ${priority === 'news'}::boolean
      returning recipient, is_joined
    )
    select distinct recipient from written where is_joined`.execute(db);
  if (rows.length > 0)
    await dropEarliest(
      db,
      account,
      kind,
      rows.map(({ recipient }) => recipient),
    );
}

/** Deletes the earliest of too many messages that wait to be joined, so that a joined message has a limited size. */
async function dropEarliest(db: Db, accountId: string, kind: string, recipients: readonly string[]): Promise<void> {
  await sql`
    delete from outgoing_mail where id in (
      select id from (
        select id, row_number() over (partition by recipient order by created_at desc, id desc) as nth from outgoing_mail
        where is_joined and attempts = 0 and account_id = ${accountId} and kind = ${kind} and recipient = any (${[...recipients]}::text[])
      ) waiting where nth > ${MOST_JOINED})`.execute(db);
}

/**
 * True if nobody can read mail to this address: it is that of an erased affiliate, or of a person of the example. The owner of the example may still
 * ask for a link, which an operator without a mail server reads in the log.
 */
function isUnreadable(address: string, priority: Purpose['priority']): boolean {
  const host = hostOf(address);
  return host === 'erased.invalid' || (host === DEMO_DOMAIN && priority !== 'urgent');
}

/** Returns the host of an email address, in lower case. */
function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
