import type { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import { signedIn } from '../../platform/trpc/trpc.ts';
import { assertHasRequiredFactor } from '../credentials/required-second-factor.ts';

/**
 * Declares a procedure in which a signed-in person acts on the account named in the input. The procedure opens its own transactions and must
 * itself check whether the person is a member.
 *
 * @throws SECOND_FACTOR_REQUIRED while the account is closed to the person (docs/rules/identity.md#required-second-factor)
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
