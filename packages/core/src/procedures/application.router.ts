import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import {
  ApplicationPage,
  ApplicationRecord,
  DecideApplications,
  DecidedApplications,
  GetApplication,
  ListApplications,
} from '../portal/applications/application.schema.ts';
import { decideApplications, getApplication, listApplications } from '../portal/applications/decide-applications.ts';

/** Applications to campaigns, and the merchant's decisions. */
export const applicationsRouter = router({
  list: read('affiliates')
    .meta(
      rest('GET', '/applications', {
        summary: 'List applications',
        description:
          'Returns the affiliates who wait for a decision, with their answers, oldest first. `state` also returns decided applications.',
      }),
    )
    .input(ListApplications)
    .output(ApplicationPage)
    .query(({ ctx, input }) => listApplications(ctx, input)),

  get: read('affiliates')
    .meta(
      rest('GET', '/applications/{affiliate_id}', {
        summary: 'Retrieve an application',
        description: 'Returns the answers of an affiliate and your note. Affiliates who never applied are not found.',
      }),
    )
    .input(GetApplication)
    .output(ApplicationRecord)
    .query(({ ctx, input }) => getApplication(ctx, input)),

  decide: write('affiliates', DecideApplications)
    .meta(
      rest('POST', '/applications/decide', {
        summary: 'Approve or reject applications',
        description:
          'Decides about up to 100 affiliates, who get an email with the note. Affiliates who are no longer pending are skipped.',
      }),
    )
    .output(DecidedApplications)
    .mutation(({ ctx, input }) => decideApplications(ctx, input)),
});
