import { RemoveLogo, SetLogo } from '../identity/branding/branding.schema.ts';
import { removeLogo, setLogo } from '../identity/branding/branding.ts';
import { anyone, read, router, write } from '../platform/trpc/trpc.ts';
import {
  Applied,
  Apply,
  ConfirmApplication,
  ConfirmedApplication,
  GetJoinPage,
  GetProgramSettings,
  JoinPage,
  MAX_APPLICATION_BYTES,
  ProgramSettings,
  UpdateProgramSettings,
} from '../portal/applications/application.schema.ts';
import { apply, getJoinPage } from '../portal/applications/apply.ts';
import { confirmApplication } from '../portal/applications/confirm-application.ts';
import { getProgramSettings, updateProgramSettings } from '../portal/applications/program-settings.ts';
import { CheckPortalHost } from '../portal/host/portal-host.schema.ts';
import { countHostCheck, requestCheck } from '../portal/host/portal-host.service.ts';

/** The sign-up pages of campaigns for applicants, and the merchant's settings for these pages. */
export const joinRouter = router({
  page: anyone()
    .meta({ onPortalHosts: true })
    .input(GetJoinPage)
    .output(JoinPage)
    .query(({ ctx, input }) => getJoinPage(ctx, input)),

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

  settings: read('campaigns')
    .input(GetProgramSettings)
    .output(ProgramSettings)
    .query(({ ctx }) => getProgramSettings(ctx)),

  updateSettings: write('campaigns', UpdateProgramSettings, {
    check: async (ctx, { portal_host }) => {
      if (typeof portal_host === 'string') await countHostCheck(ctx);
    },
  })
    .output(ProgramSettings)
    .mutation(({ ctx, input }) => updateProgramSettings(ctx, input)),

  /** Requests a check of the portal host. A worker makes the check within seconds. */
  checkPortalHost: write('campaigns', CheckPortalHost, { check: (ctx) => countHostCheck(ctx) })
    .output(ProgramSettings)
    .mutation(async ({ ctx }) => {
      await requestCheck(ctx);
      return getProgramSettings(ctx);
    }),

  setLogo: write('campaigns', SetLogo)
    .output(ProgramSettings)
    .mutation(async ({ ctx, input }) => {
      await setLogo(ctx, input);
      return getProgramSettings(ctx);
    }),

  removeLogo: write('campaigns', RemoveLogo)
    .output(ProgramSettings)
    .mutation(async ({ ctx }) => {
      await removeLogo(ctx);
      return getProgramSettings(ctx);
    }),
});
