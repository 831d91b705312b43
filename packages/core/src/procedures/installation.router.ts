import { router, signedIn } from '../platform/trpc/trpc.ts';
import { Installation, getInstallation } from '../program/setup/installation.ts';

/** The service itself, for the people who use it. */
export const installationRouter = router({
  get: signedIn()
    .output(Installation)
    .query(({ ctx }) => getInstallation(ctx)),
});
