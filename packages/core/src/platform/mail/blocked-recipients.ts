import { type RawBuilder, sql } from 'kysely';
import type { Services, WriteCtx } from '../call/context.ts';
import type { Db } from '../db/database.ts';
import { type Instant, plusDays, toInstant } from '../time/instant.ts';
import { recipientOf } from './budgets.ts';

/** Why an address gets no emails (docs/rules/platform.md#blocked-addresses). */
export const BLOCK_REASONS = ['no_such_recipient', 'complaint'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Days after which an address gets emails again. */
const BLOCKED_DAYS: Record<BlockReason, number> = { no_such_recipient: 30, complaint: 365 };

/**
 * Sends no more messages to an address, and deletes those that wait. A person who complained still gets urgent messages, because they ask for these
 * themselves.
 *
 * @param recipient hash of the address (`recipientOf`)
 */
export async function blockRecipient(db: Db, now: Instant, recipient: string, reason: BlockReason): Promise<void> {
  await sql`
    with blocked as (
      insert into blocked_recipient (recipient, reason, blocked_at, expires_at)
      values (${recipient}, ${reason}, ${now}::timestamptz, ${plusDays(now, BLOCKED_DAYS[reason])}::timestamptz)
      on conflict (recipient, reason) do update set blocked_at = excluded.blocked_at, expires_at = excluded.expires_at)
    delete from outgoing_mail where recipient = ${recipient} and (${reason === 'no_such_recipient'}::boolean or not is_urgent)`.execute(
    db,
  );
}

/** SQL condition: an account has unblocked the recipient of the row `blocked` since the recipient complained. */
export function isUnblockedFor(accountId: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`(blocked.reason = 'complaint' and exists (
    select from unblocked_recipient unblocked
    where unblocked.account_id = ${accountId} and unblocked.recipient = blocked.recipient and unblocked.unblocked_at >= blocked.blocked_at))`;
}

/** SQL condition: the row `blocked` concerns an address, and the account gets no emails through to it now. */
export function blocks(email: RawBuilder<string>, { accountId, now }: { accountId: string; now: Instant }): RawBuilder<boolean> {
  // As `recipientOf`.
  const recipient = sql`translate(rtrim(encode(sha256(convert_to(lower(trim(${email})), 'UTF8')), 'base64'), '='), '+/', '-_')`;
  return sql<boolean>`(blocked.recipient = ${recipient} and blocked.expires_at > ${now}::timestamptz and not ${isUnblockedFor(sql`${accountId}`)})`;
}

/**
 * Ends the blocks of an address. An address that did not exist gets emails again, from all accounts. A person who complained gets emails again from this
 * account only, because the complaint may have been about another account.
 */
export async function unblockRecipient({ db, accountId, now }: WriteCtx, recipient: string): Promise<void> {
  await sql`
    with blocked as (select * from blocked_recipient where recipient = ${recipient}),
    existing as (
      delete from blocked_recipient where recipient = ${recipient} and reason = 'no_such_recipient')
    insert into unblocked_recipient (account_id, recipient, unblocked_at, expires_at)
    select ${accountId}, recipient, ${now}::timestamptz, expires_at from blocked where reason = 'complaint'
    on conflict (account_id, recipient) do update set unblocked_at = excluded.unblocked_at, expires_at = excluded.expires_at`.execute(
    db,
  );
}

/** A report of the mail provider about an address. */
export interface MailReport {
  email: string;
  reason: BlockReason;
}

/** Blocks the addresses of which the mail provider reports that they do not exist or that their owner has complained. */
export async function recordMailReports({ database, clock, log }: Services, reports: readonly MailReport[]): Promise<void> {
  for (const { email, reason } of reports) {
    await blockRecipient(database.kysely, toInstant(clock.now()), recipientOf(email), reason);
    log.info({ reason }, 'the mail provider reports an address; it gets no more emails');
  }
}

type Fields = Record<string, unknown>;

/**
 * Reads the reports in a webhook of a mail provider: complaints, and addresses that do not exist. Knows the formats of Postmark, SendGrid, Mailgun and
 * Amazon SES (through SNS), and `{ "email": …, "reason": "complaint" | "no_such_recipient" }` for everything else, alone or in an array. Everything that
 * is not such a report is ignored.
 */
export function mailReportsIn(body: unknown): MailReport[] {
  return (Array.isArray(body) ? body : [body]).flatMap((each) => (isFields(each) ? reportsIn(each) : []));
}

function reportsIn(event: Fields): MailReport[] {
  if (event['Type'] === 'Notification') return mailReportsIn(parsed(event['Message']));
  const { reason } = event;
  if (reason === 'complaint' || reason === 'no_such_recipient') return reported(event['email'], reason);
  // Postmark
  if (event['RecordType'] === 'SpamComplaint') return reported(event['Email'], 'complaint');
  if (event['RecordType'] === 'Bounce' && event['Type'] === 'HardBounce') return reported(event['Email'], 'no_such_recipient');
  // SendGrid
  if (event['event'] === 'spamreport') return reported(event['email'], 'complaint');
  if (event['event'] === 'bounce' && event['type'] !== 'blocked') return reported(event['email'], 'no_such_recipient');
  // Mailgun
  const data = event['event-data'];
  if (isFields(data)) {
    if (data['event'] === 'complained') return reported(data['recipient'], 'complaint');
    if (data['event'] === 'failed' && data['severity'] === 'permanent') return reported(data['recipient'], 'no_such_recipient');
  }
  // Amazon SES
  const { complaint, bounce } = event;
  if (isFields(complaint)) return recipientsIn(complaint['complainedRecipients'], 'complaint');
  if (isFields(bounce) && bounce['bounceType'] === 'Permanent')
    return recipientsIn(bounce['bouncedRecipients'], 'no_such_recipient');
  return [];
}

function recipientsIn(recipients: unknown, reason: MailReport['reason']): MailReport[] {
  const all: unknown[] = Array.isArray(recipients) ? recipients : [];
  return all.flatMap((each) => (isFields(each) ? reported(each['emailAddress'], reason) : []));
}

function reported(email: unknown, reason: MailReport['reason']): MailReport[] {
  return typeof email === 'string' && email.includes('@') ? [{ email, reason }] : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
