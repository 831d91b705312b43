import { z } from 'zod';
import { BLOCK_REASONS } from '../../platform/mail/blocked-recipients.ts';
import { email, instant } from '../../platform/wire/scalars.ts';

const BlockedAddress = z
  .object({
    email: email(),
    reason: z
      .enum(BLOCK_REASONS)
      .describe(
        '`no_such_recipient`: the address does not exist. `complaint`: its owner reported an email as spam, and only gets emails that they ask for, e.g. sign-in links.',
      ),
    blocked_at: instant(),
    expires_at: instant().describe('Time from which the address gets emails again.'),
  })
  .meta({ id: 'BlockedAddress', description: 'An address that gets no emails.' });

export const ListBlockedAddresses = z.strictObject({}).optional();
export const BlockedAddresses = z.object({
  data: z.array(BlockedAddress).describe('The last 100, newest first.'),
});
export type BlockedAddresses = z.infer<typeof BlockedAddresses>;

export const UnblockAddress = z.strictObject({ email: email().describe('An address of the list.') });
export type UnblockAddress = z.infer<typeof UnblockAddress>;
