import { sql } from 'kysely';
import { z } from 'zod';
import { type AttemptLimit, countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { unblockRecipient, blocks, BLOCK_REASONS } from '../../platform/mail/blocked-recipients.ts';
import { recipientOf } from '../../platform/mail/budgets.ts';
import { email, instant } from '../../platform/wire/scalars.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { COUNT_RECIPIENTS } from './program-mails.ts';

const BlockedAddress = z
  .object({
    email: email(),
    reason: z
      .enum([...BLOCK_REASONS, 'unsubscribed'])
      .describe(
        '`no_such_recipient`: the address does not exist. `complaint`: its owner reported an email as spam, and only gets emails that they ask for, e.g. sign-in links. `unsubscribed`: the affiliate ended the emails of the program, and only the affiliate can start them again.',
      ),
    blocked_at: instant(),
    expires_at: instant().nullable().describe('Time from which the address gets emails again. Null if there is none.'),
  })
  .meta({ id: 'BlockedAddress', description: 'An address that gets no emails.' });

export const ListBlockedAddresses = z.strictObject({}).optional();
export const BlockedAddresses = z.object({
  data: z.array(BlockedAddress).describe('The last 100, newest first.'),
  recipients: z
    .object({
      everyone: z.int().describe('With `everyone`.'),
      signed_in: z.int().describe('With `signed_in`.'),
    })
    .describe(
      'Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their addresses take emails.',
    ),
});
export type BlockedAddresses = z.infer<typeof BlockedAddresses>;

export const UnblockAddress = z.strictObject({ email: email().describe('An address of the list.') });
export type UnblockAddress = z.infer<typeof UnblockAddress>;

/** Maximum number of addresses that an account unblocks, because emails to addresses that do not exist harm the sender. */
const PER_ACCOUNT: AttemptLimit = { max: 20, windowSeconds: 86_400 };

/** Counts an address that the account wants to unblock. Throws RATE_LIMITED. */
export function countUnblocking({ services, accountId }: Pick<Ctx, 'services' | 'accountId'>): Promise<void> {
  return countAttempt(services, `unblocked addresses of ${accountId}`, PER_ACCOUNT);
}

/**
 * Ends the blocks of an address of the account (docs/rules/platform.md#blocked-addresses). Returns the addresses that are still blocked.
 *
 * @throws VALIDATION_ERROR if the address is not one of the list
 */
export async function unblockAddress(ctx: WriteCtx, { email }: UnblockAddress): Promise<BlockedAddresses> {
  const recipient = recipientOf(email);
  const { data } = await listBlockedAddresses(ctx);
  const found = data.filter((blocked) => recipientOf(blocked.email) === recipient);
  if (found.length === 0) throw invalid('email', PROGRAM_REASONS.address_not_blocked, 'not_found');
  if (found.every(({ reason }) => reason === 'unsubscribed'))
    throw invalid('email', PROGRAM_REASONS.affiliate_unsubscribed, 'unsubscribed');
  await unblockRecipient(ctx, recipient);
  return listBlockedAddresses(ctx);
}

/**
 * Lists the addresses of the account's affiliates and invited people that get no emails, and counts the affiliates who get them. The service stores only hashes of blocked addresses
 * (`recipientOf`), so this computes the hashes of the account's addresses.
 */
export async function listBlockedAddresses({ db, accountId, now }: Ctx): Promise<BlockedAddresses> {
  const { rows } = await sql<BlockedAddresses['data'][number]>`
    select person.email, blocked.reason, blocked.blocked_at, blocked.expires_at
    from (
      select email from affiliate where account_id = ${accountId}
      union select email from invitation where account_id = ${accountId} and status = 'pending'
    ) person
    join blocked_recipient blocked on ${blocks(sql`person.email`, { accountId, now })}
    union all
    select email, 'unsubscribed', emails_ended_at, null from affiliate
    where account_id = ${accountId} and emails_ended_at is not null and archived_at is null
    order by blocked_at desc, email limit 100`.execute(db);
  const { rows: counted } = await sql<BlockedAddresses['recipients']>`
    select ${COUNT_RECIPIENTS.everyone} as everyone, ${COUNT_RECIPIENTS.signed_in} as signed_in
    from affiliate where account_id = ${accountId} and archived_at is null and state in ('active', 'suspicious')`.execute(db);
  return { data: rows, recipients: counted[0]! };
}
