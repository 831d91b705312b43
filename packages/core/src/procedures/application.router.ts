import { read, router, write } from '../platform/trpc/trpc.ts';
import {
  ApplicationRecord,
  DecideApplications,
  DecidedApplications,
  GetApplication,
  ListApplications,
  PendingApplicationPage,
} from '../portal/applications/application.schema.ts';
import { decideApplications, getApplication, listApplications } from '../portal/applications/decide-applications.ts';

/** Applications that await the merchant's decision, used by the pages. Not part of the REST API. */
export const applicationsRouter = router({
  list: read('affiliates')
    .input(ListApplications)
    .output(PendingApplicationPage)
    .query(({ ctx, input }) => listApplications(ctx, input)),

  get: read('affiliates')
    .input(GetApplication)
    .output(ApplicationRecord)
    .query(({ ctx, input }) => getApplication(ctx, input)),

  decide: write('affiliates', DecideApplications)
    .output(DecidedApplications)
    .mutation(({ ctx, input }) => decideApplications(ctx, input)),
});
