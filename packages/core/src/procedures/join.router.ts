import { anyone, router } from '../platform/trpc/trpc.ts';
import {
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
