import { startOwnProgram } from '../identity/accounts/example-account.ts';
import { anyone, router, signedIn } from '../platform/trpc/trpc.ts';
import {
  completeSetup,
  isSetupNeeded,
  openSetup,
  sendTestMail,
  Installation,
  getInstallation,
  CompleteSetup,
  GetSetupNeeded,
  IsSetupNeeded,
  NewSetupToken,
  SendTestMail,
  SetupCompleted,
  SetupState,
  SetupToken,
  TestMailSent,
} from '../program/setup/setup.ts';

/** Setup of an installation's first account, with the link that the service prints when it starts. */
export const setupRouter = router({
  /** Tells the pages whether to redirect visitors to the setup page. */
  isNeeded: anyone()
    .input(GetSetupNeeded)
    .output(IsSetupNeeded)
    .query(({ ctx }) => isSetupNeeded(ctx)),

  /** Only owners of the example account may call it. */
  startOwnProgram: signedIn()
    .output(NewSetupToken)
    .mutation(({ ctx }) => startOwnProgram(ctx)),

  /** A mutation although it only reads: a query would put the token into the URL and so into logs. */
  open: anyone()
    .input(SetupToken)
    .output(SetupState)
    .mutation(({ ctx, input }) => openSetup(ctx, input)),

  sendTestMail: anyone()
    .input(SendTestMail)
    .output(TestMailSent)
    .mutation(({ ctx, input }) => sendTestMail(ctx, input)),

  complete: anyone()
    .input(CompleteSetup)
    .output(SetupCompleted)
    .mutation(({ ctx, input }) => completeSetup(ctx, input)),
});

/** Facts about this installation of the service, for signed-in people. */
export const installationRouter = router({
  get: signedIn()
    .output(Installation)
    .query(({ ctx }) => getInstallation(ctx)),
});
