import { router, signedIn } from '../trpc.ts';
import { SessionRecord, SwitchAccount } from './session.schema.ts';
import { getSession, switchAccount } from './session.service.ts';

export const sessionRouter = router({
  get: signedIn()
    .output(SessionRecord)
    .query(({ ctx }) => getSession(ctx)),

  switchAccount: signedIn()
    .input(SwitchAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => switchAccount(ctx, input)),
});
