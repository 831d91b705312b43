import { SessionRecord } from '../identity/sessions/session.schema.ts';
import { router, signedIn } from '../platform/trpc/trpc.ts';
import { restoreAccount, scheduleDeletion } from '../identity/accounts/account-deletion.ts';
import { removeExample } from '../identity/accounts/example-account.ts';
import {
  DeleteAccount,
  ExampleRemoved,
  RemoveExample,
  RestoreAccount,
  UpdateAccount,
} from '../identity/accounts/account.schema.ts';
import { updateAccount } from '../identity/accounts/account.service.ts';

/** The account itself. Only signed-in users can change it; no API key permission covers it. `session.get` reads it. */
export const accountRouter = router({
  update: signedIn()
    .input(UpdateAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => updateAccount(ctx, input)),

  delete: signedIn()
    .input(DeleteAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => scheduleDeletion(ctx, input)),

  removeExample: signedIn()
    .input(RemoveExample)
    .output(ExampleRemoved)
    .mutation(({ ctx, input }) => removeExample(ctx, input)),

  restore: signedIn()
    .input(RestoreAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => restoreAccount(ctx, input)),
});
