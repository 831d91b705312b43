import { SessionRecord, SwitchAccount } from '../identity/sessions/session.schema.ts';
import { getSession, switchAccount } from '../identity/sessions/session.service.ts';
import { router, signedIn } from '../platform/trpc/trpc.ts';

export const sessionRouter = router({
  get: signedIn()
    .output(SessionRecord)
    .query(({ ctx }) => getSession(ctx)),

  switchAccount: signedIn()
    .input(SwitchAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => switchAccount(ctx, input)),
});
