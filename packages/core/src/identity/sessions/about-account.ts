import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import { signedIn } from '../../platform/trpc/trpc.ts';
import { assertHasRequiredFactor } from '../credentials/required-second-factor.ts';

/**
 * Declares a procedure for a signed-in person about an account that the input names. It opens its own transactions, and checks itself whether
 * the person is a member.
 *
 * @throws SECOND_FACTOR_REQUIRED while the account is closed to the person (docs/domain-rules.md#required-second-factor)
 */
export function signedInAbout<Input extends z.ZodObject<{ account_id: z.ZodType<string> }>>(input: Input) {
  return signedIn()
    .input(input)
    .use(async ({ ctx, input: { account_id }, next }) => {
      const { database, clock } = ctx.services;
      await assertHasRequiredFactor(database.kysely, account_id, ctx.session.user_id, toInstant(clock.now()));
      return next();
    });
}
