import { router, signedIn } from '../platform/trpc/trpc.ts';
import { Installation, getInstallation } from '../program/setup/installation.ts';

/** Facts about this installation of the service, for signed-in people. */
export const installationRouter = router({
  get: signedIn()
    .output(Installation)
    .query(({ ctx }) => getInstallation(ctx)),
});
