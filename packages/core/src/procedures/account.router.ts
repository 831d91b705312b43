import { SessionRecord } from '../identity/sessions/session.schema.ts';
import { signedInAbout } from '../identity/sessions/about-account.ts';
import { router } from '../platform/trpc/trpc.ts';
import { restoreAccount, scheduleDeletion } from '../identity/accounts/account-deletion.ts';
import { removeExample } from '../identity/accounts/example-account.ts';
import {
  DeleteAccount,
  ExampleRemoved,
  RemoveExample,
  RequireSecondFactor,
  RestoreAccount,
  UpdateAccount,
} from '../identity/accounts/account.schema.ts';
import { requireSecondFactor } from '../identity/accounts/require-second-factor.ts';
import { updateAccount } from '../identity/accounts/account.service.ts';

/**
 * Procedures that change the account itself. Only signed-in users can call them, because no permission of an API key
 * covers them. `session.get` returns the account.
 */
export const accountRouter = router({
  update: signedInAbout(UpdateAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => updateAccount(ctx, input)),

  delete: signedInAbout(DeleteAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => scheduleDeletion(ctx, input)),

  removeExample: signedInAbout(RemoveExample)
    .output(ExampleRemoved)
    .mutation(({ ctx, input }) => removeExample(ctx, input)),

  /** Only owners may call it. */
  requireSecondFactor: signedInAbout(RequireSecondFactor)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => requireSecondFactor(ctx, input)),

  restore: signedInAbout(RestoreAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => restoreAccount(ctx, input)),
});
