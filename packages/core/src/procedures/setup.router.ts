import { startOwnProgram } from '../identity/accounts/example-account.ts';
import {
  checkSite,
  CheckSite,
  getTestVisit,
  GetTestVisit,
  RecordedTestSale,
  recordTestSale,
  RecordTestSale,
  SiteCheck,
  TestVisit,
} from '../intake/site/site.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { anyone, read, router, signedIn, write } from '../platform/trpc/trpc.ts';
import {
  completeSetup,
  CompleteSetup,
  getInstallation,
  GetSetupNeeded,
  Installation,
  isSetupNeeded,
  IsSetupNeeded,
  NewSetupToken,
  openSetup,
  sendTestMail,
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

/** Checks whether tracking works on the merchant's site, for the page Settings > Tracking. */
export const siteRouter = router({
  check: rest(read('links'), 'GET /api/settings/v1/site/check', {
    summary: 'Check the tracking script on a page',
    description: 'Reads a page of your site, and says whether the tracking script on it works.',
  })
    .input(CheckSite)
    .output(SiteCheck)
    .query(({ ctx, input }) => checkSite(ctx, input)),

  testVisit: rest(read('referrals', 'commissions'), 'GET /api/settings/v1/site/test_visit', {
    summary: 'Retrieve a test visit',
    errors: ['NOT_FOUND'],
    description: 'Returns how far a test visit has come: click, lead, sale and commission.',
  })
    .input(GetTestVisit)
    .output(TestVisit)
    .query(({ ctx, input }) => getTestVisit(ctx, input)),

  recordTestSale: rest(write('sales', RecordTestSale), 'POST /api/settings/v1/site/test_sale', {
    summary: 'Record a test sale',
    description: 'Records a sale in test mode for the referral of a test visit.',
    status: 201,
    errors: ['NOT_FOUND'],
  })
    .output(RecordedTestSale)
    .mutation(({ ctx, input }) => recordTestSale(ctx, input)),
});
