import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write, anyone } from '../platform/trpc/trpc.ts';
import {
  ApplicationPage,
  ApplicationRecord,
  DecideApplications,
  DecidedApplications,
  GetApplication,
  ListApplications,
  Applied,
  Apply,
  CheckedCode,
  CheckJoinCode,
  ConfirmApplication,
  ConfirmedApplication,
  GetJoinPage,
  JoinPage,
  MAX_APPLICATION_BYTES,
} from '../portal/applications/application.schema.ts';
import { apply, checkLinkCode, getJoinPage } from '../portal/applications/apply.ts';
import { confirmApplication } from '../portal/applications/confirm-application.ts';
import { decideApplications, getApplication, listApplications } from '../portal/applications/decide-applications.ts';

/** Applications to campaigns, and the merchant's decisions. */
export const applicationsRouter = router({
  list: rest(read('affiliates'), 'GET /applications', {
    summary: 'List applications',
    description:
      'Returns the affiliates who wait for a decision, with their answers, oldest first. `state` also returns decided applications.',
  })
    .input(ListApplications)
    .output(ApplicationPage)
    .query(({ ctx, input }) => listApplications(ctx, input)),

  get: rest(read('affiliates'), 'GET /applications/{affiliate_id}', {
    summary: 'Retrieve an application',
    description: 'Returns the answers of an affiliate and your note. Affiliates who never applied are not found.',
  })
    .input(GetApplication)
    .output(ApplicationRecord)
    .query(({ ctx, input }) => getApplication(ctx, input)),

  decide: rest(write('affiliates', DecideApplications), 'POST /applications/decide', {
    summary: 'Approve or reject applications',
    description:
      'Decides about up to 100 affiliates, who get an email with the note. Affiliates who are no longer pending are skipped.',
  })
    .output(DecidedApplications)
    .mutation(({ ctx, input }) => decideApplications(ctx, input)),
});

/** The sign-up pages of campaigns for applicants. */
export const joinRouter = router({
  page: anyone()
    .meta({ onPortalHosts: true })
    .input(GetJoinPage)
    .output(JoinPage)
    .query(({ ctx, input }) => getJoinPage(ctx, input)),

  /** Checks the code of the first link as an applicant types it. */
  checkCode: anyone()
    .meta({ onPortalHosts: true })
    .input(CheckJoinCode)
    .output(CheckedCode)
    .query(({ ctx, input }) => checkLinkCode(ctx, input)),

  submit: anyone()
    .meta({ onPortalHosts: true, maxBodyBytes: MAX_APPLICATION_BYTES })
    .input(Apply)
    .output(Applied)
    .mutation(({ ctx, input }) => apply(ctx, input)),

  confirm: anyone()
    .meta({ onPortalHosts: true })
    .input(ConfirmApplication)
    .output(ConfirmedApplication)
    .mutation(({ ctx, input }) => confirmApplication(ctx, input)),
});
