import { type AttemptLimit, countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { unblockRecipient } from '../../platform/mail/blocked-recipients.ts';
import { recipientOf } from '../../platform/mail/budgets.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { listBlockedAddresses } from './blocked-addresses.queries.ts';
import type { BlockedAddresses, UnblockAddress } from './blocked-addresses.schema.ts';

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
  if (!data.some((blocked) => recipientOf(blocked.email) === recipient))
    throw invalid('email', PROGRAM_REASONS.address_not_blocked, 'not_found');
  await unblockRecipient(ctx, recipient);
  return listBlockedAddresses(ctx);
}
