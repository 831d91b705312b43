import { setTimeout } from 'node:timers/promises';
import type { Services } from '../call/context.ts';
import { Leftovers, mayLieInOne } from '../sweeps/failures.ts';
import { type Instant, plusMilliseconds, toInstant } from '../time/instant.ts';
import { blockRecipient } from './blocked-recipients.ts';
import {
  type ClaimedMail,
  type MayBeDue,
  claimInTurn,
  claimJoined,
  claimUrgent,
  deleteExpiredMail,
  putBack,
  recordBusyHost,
  recordFailure,
  recordSent,
  renewLeases,
} from './due-mail.ts';
import { isForOwners, recordLogged } from './logged-mail.ts';
import { type Mail, MailFailure, type Mailer } from './mailer.ts';
import { MOST_AT_ONCE, Pace } from './pace.ts';

/** Number of urgent messages that a process sends at a time, in addition to the others. */
const URGENT_AT_ONCE = 2;
/** Maximum number of concurrent calls of a mailer. */
export const MAILER_CALLS = MOST_AT_ONCE + URGENT_AT_ONCE;
/** Interval at which leases are renewed: far below their length. */
const RENEW_MS = 30_000;
/** Time until the next attempt of a message after the mail server could not be reached. */
const SERVER_RETRY_MS = 10_000;

/** Shortest and longest time until the outcome of a message that could not be recorded is recorded again. */
const RECORD_AGAIN_MS = { first: 1_000, most: 5_000 };
/**
 * Maximum number of messages whose outcome could not be recorded. With more, the cause does not lie in single messages. They would be sent again after
 * the end of the process, so no further ones are sent.
 */
const MOST_UNRECORDED = 20;

/** One sender for each mailer, because the pace of a mail server is shared by all messages to it. */
const senders = new WeakMap<Mailer, MailSender>();

/**
 * Sends all due messages, urgent ones first, the others in turn by account. Several processes may call it at once. Calls in one process share one
 * sender, so that the number of concurrent messages is limited.
 *
 * @returns the number of messages that this call has sent; 0 if another call was sending, which then also sends the messages that are due now
 */
export function sendDueMail(services: Services): Promise<number> {
  return senderOf(services).sendDue(services, () => false);
}

/**
 * Starts sending all due messages, or makes the sender look for them if it is sending already. Does not wait, because the next urgent message must find
 * somebody who looks for it.
 *
 * @param mustStop when true, no further messages are sent
 */
export function wakeMailSender(services: Services, mustStop: () => boolean): void {
  senderOf(services)
    .sendDue(services, mustStop)
    .catch((err: unknown) => services.log.error({ err }, 'email could not be sent; will be tried again'));
}

/** Resolves when this process is not sending any message. */
export function untilMailIsSent(services: Services): Promise<void> {
  return senderOf(services).untilIdle();
}

function senderOf({ mailer }: Services): MailSender {
  const sender = senders.get(mailer) ?? new MailSender();
  senders.set(mailer, sender);
  return sender;
}

class MailSender {
  readonly #pace = new Pace();
  readonly #sending = new Map<string, ClaimedMail>();
  /** Messages whose outcome is still to be recorded, because it could not be recorded at once. They take no place of others. */
  readonly #unrecorded = new Map<string, Promise<void>>();
  /** Account that had the last turn. */
  #lastAccount = '';
  #running: Promise<number> | null = null;
  /** Resolved when the loop should look for messages: after a call or when a message has been sent. */
  #woken = Promise.withResolvers<void>();
  /** True if messages may have become due since the last look. */
  #mayBeDue: MayBeDue = { urgent: false, others: false };
  #serverFailed = false;
  /** Messages that cannot be claimed. The next run tries them again. */
  #left = new Leftovers();
  #sent = 0;

  async sendDue(services: Services, mustStop: () => boolean): Promise<number> {
    this.#mayBeDue = { urgent: true, others: true };
    this.#woken.resolve();
    if (this.#running) return this.#running.then(() => 0);
    return (this.#running = this.#sendAll(services, mustStop));
  }

  async untilIdle(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await Promise.all(this.#unrecorded.values());
  }

  async #sendAll(services: Services, mustStop: () => boolean): Promise<number> {
    this.#sent = 0;
    this.#serverFailed = false;
    this.#left = new Leftovers();
    this.#mayBeDue = { urgent: false, others: false };
    const renewing = setInterval(() => void this.#renew(services), RENEW_MS);
    try {
      const due = await lookForDue(services);
      // A call may have come after the look for due messages.
      this.#mayBeDue = { urgent: this.#mayBeDue.urgent || due.urgent, others: this.#mayBeDue.others || due.others };
      for (;;) {
        this.#woken = Promise.withResolvers();
        const isEnding = mustStop() || this.#serverFailed || this.#unrecorded.size >= MOST_UNRECORDED;
        const claimed = isEnding ? [] : await this.#claim(services);
        for (const mail of claimed) {
          this.#sending.set(mail.id, mail);
          void this.#send(services, mail, mustStop).finally(() => {
            this.#sending.delete(mail.id);
            this.#woken.resolve();
          });
        }
        if (this.#sending.size > 0) await this.#woken.promise;
        else if (isEnding || !(this.#mayBeDue.urgent || this.#mayBeDue.others)) return this.#sent;
      }
    } finally {
      clearInterval(renewing);
      // In the same turn as the last look, so that no call relies on a sender that has ended.
      this.#running = null;
    }
  }

  /** Claims messages for the free places. Looks only for messages that may be due. */
  async #claim(services: Services): Promise<ClaimedMail[]> {
    const now = toInstant(services.clock.now());
    const busy = [...this.#sending.values()];
    const urgentPlaces = URGENT_AT_ONCE - busy.filter(({ is_urgent }) => is_urgent).length;
    const otherPlaces = this.#pace.limit - busy.filter(({ is_urgent }) => !is_urgent).length;
    const claimed: ClaimedMail[] = [];
    if (this.#mayBeDue.urgent && urgentPlaces > 0) {
      this.#mayBeDue.urgent = false;
      const urgent = await claimUrgent(services, now, urgentPlaces, this.#left);
      claimed.push(...urgent.rows);
      if (urgent.mayBeMore) this.#mayBeDue.urgent = true;
    }
    if (this.#mayBeDue.others && otherPlaces > 0) {
      this.#mayBeDue.others = false;
      const turn = { lastAccount: this.#lastAccount, limit: otherPlaces };
      try {
        const others = await claimInTurn(services, now, turn, this.#left);
        claimed.push(...others.rows);
        if (others.mayBeMore) this.#mayBeDue.others = true;
        this.#lastAccount = others.lastAccount ?? this.#lastAccount;
      } catch (err) {
        // The urgent messages are claimed already, and are sent first. Then the others are looked for again.
        if (claimed.length === 0) throw err;
        services.log.warn({ err }, 'emails could not be claimed; will be tried again');
        this.#mayBeDue.others = true;
      }
    }
    // Those whose outcome is not recorded yet are claimed again only if their leases could not be renewed either.
    return claimed.filter(({ id }) => !this.#unrecorded.has(id));
  }

  async #renew({ database, clock, log }: Services): Promise<void> {
    if (this.#sending.size === 0) return;
    await renewLeases(database.kysely, toInstant(clock.now()), [...this.#sending.keys()]).catch((err: unknown) =>
      log.warn({ err }, 'the leases of emails could not be renewed'),
    );
  }

  /** Sends a message and records the outcome. Does not throw. */
  async #send(services: Services, claimed: ClaimedMail, mustStop: () => boolean): Promise<void> {
    const { database, mailer, clock, log } = services;
    const start = performance.now();
    let mails: [ClaimedMail, ...ClaimedMail[]] = [claimed];
    let outcome: () => Promise<unknown>;
    try {
      if (claimed.is_joined) mails.unshift(...(await claimJoined(services, toInstant(clock.now()), claimed, this.#left)));
      for (const mail of mails) this.#sending.set(mail.id, mail);
      const [first, ...more] = await this.#open(services, mails);
      mails = [first.mail, ...more.map((each) => each.mail)];
      const mail = { id: mails.at(-1)!.id, ...joined([first.written, ...more.map(({ written }) => written)]) };
      await mailer.send(mail);
      this.#pace.accepted(performance.now() - start);
      this.#sent += 1;
      outcome = () =>
        mailer.writesToLog && isForOwners(claimed) ? recordLogged(services, mails, mail) : recordSent(database.kysely, mails);
    } catch (error) {
      log.warn({ err: error, mail_id: claimed.id, attempts: claimed.attempts }, 'an email could not be sent');
      if (error instanceof MailFailure && error.reason === 'server') {
        this.#pace.failed();
        this.#serverFailed = true;
      }
      outcome = () => recordOutcome(services, toInstant(clock.now()), mails, error);
    }
    try {
      await outcome();
    } catch (err) {
      log.warn({ err, mail_id: claimed.id }, NOT_RECORDED);
      const recorded = recordLater(services, mails, outcome, mustStop).finally(() => {
        for (const { id } of mails) this.#unrecorded.delete(id);
      });
      for (const { id } of mails) this.#unrecorded.set(id, recorded);
    }
    for (const { id } of mails) this.#sending.delete(id);
  }

  /**
   * Decrypts messages that are sent as one. A message that cannot be decrypted is left to its next attempt, and holds up no other.
   *
   * @throws the error of a message, if none can be decrypted
   */
  async #open(
    { database, secrets, clock, log }: Services,
    mails: readonly ClaimedMail[],
  ): Promise<[OpenedMail, ...OpenedMail[]]> {
    const opened: OpenedMail[] = [];
    const failed: { mail: ClaimedMail; err: unknown }[] = [];
    for (const mail of mails) {
      try {
        opened.push({ mail, written: JSON.parse(secrets.open(mail.sealed_mail)) as Omit<Mail, 'id'> });
      } catch (err) {
        failed.push({ mail, err });
      }
    }
    const [first, ...more] = opened;
    if (first === undefined) throw failed[0]!.err;
    for (const { mail, err } of failed) {
      log.warn({ err, mail_id: mail.id, attempts: mail.attempts }, 'an email could not be read');
      await recordFailure(database.kysely, toInstant(clock.now()), [mail], String(err));
      this.#sending.delete(mail.id);
    }
    return [first, ...more];
  }
}

/** A message with its decrypted content. */
interface OpenedMail {
  mail: ClaimedMail;
  written: Omit<Mail, 'id'>;
}

async function recordOutcome(
  services: Services,
  now: Instant,
  mails: readonly [ClaimedMail, ...ClaimedMail[]],
  error: unknown,
): Promise<void> {
  const db = services.database.kysely;
  const reason = error instanceof MailFailure ? error.reason : null;
  if (reason === 'server') return putBack(db, mails, plusMilliseconds(now, SERVER_RETRY_MS));
  if (reason === 'no_such_recipient') return blockRecipient(db, now, mails[0].recipient, reason);
  await recordFailure(db, now, mails, String(error));
  if (reason === 'later') await recordBusyHost(services, now, mails[0].host);
}

const NOT_RECORDED = 'the outcome of an email could not be recorded; will be tried again';

/**
 * Repeats `record` until it succeeds, and renews the leases of the messages meanwhile. Otherwise a message that was sent while the database could not be
 * reached would be sent again. Gives up when the process must stop. Does not throw.
 */
async function recordLater(
  { database, clock, log }: Services,
  mails: readonly ClaimedMail[],
  record: () => Promise<unknown>,
  mustStop: () => boolean,
): Promise<void> {
  const ids = mails.map(({ id }) => id);
  for (let waitMs = RECORD_AGAIN_MS.first; !mustStop(); waitMs = Math.min(2 * waitMs, RECORD_AGAIN_MS.most)) {
    await setTimeout(waitMs, undefined, { ref: false });
    try {
      await record();
      return;
    } catch (err) {
      log.warn({ err, mail_id: ids.at(-1) }, NOT_RECORDED);
      await renewLeases(database.kysely, toInstant(clock.now()), ids).catch(() => undefined);
    }
  }
}

/** Deletes expired messages, and returns the kinds of messages of which some may be due. An expired message that cannot be deleted holds up no other. */
async function lookForDue({ database, clock, log }: Services): Promise<MayBeDue> {
  try {
    return await deleteExpiredMail(database.kysely, toInstant(clock.now()));
  } catch (err) {
    if (!mayLieInOne(err)) throw err;
    log.error({ err }, 'expired emails could not be deleted; will be tried again');
    return { urgent: true, others: true };
  }
}

/** A message as it is written to the outbox. */
type Written = Omit<Mail, 'id'>;

/** Joins several messages to one person, with the same sender and kind, into one. The latest comes first. */
function joined(mails: readonly [Written, ...Written[]]): Written {
  const [latest, ...earlier] = mails;
  if (earlier.length === 0) return latest;
  const bodies = earlier.map(({ html }) => /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '');
  return {
    ...latest,
    subject: `${latest.subject} (${mails.length})`,
    text: mails
      .map(({ text }) => text.trimEnd())
      .join('\n\n----------\n\n')
      .concat('\n'),
    // A function, so that `$` in a body has no meaning.
    html: latest.html.replace('</body>', () => `${bodies.map((body) => `<hr>\n${body.trim()}\n`).join('')}</body>`),
  };
}
