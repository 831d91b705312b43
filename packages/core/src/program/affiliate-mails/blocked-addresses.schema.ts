import { z } from 'zod';
import { BLOCK_REASONS } from '../../platform/mail/blocked-recipients.ts';
import { email, instant } from '../../platform/wire/scalars.ts';

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
