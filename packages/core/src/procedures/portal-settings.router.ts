import { removeLogo, RemoveLogo, setLogo, SetLogo, uploadLogo, UploadLogo } from '../identity/branding/branding.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { MAX_LOGO_BYTES } from '../platform/wire/limits.ts';
import { GetProgramSettings, ProgramSettings, UpdateProgramSettings } from '../portal/applications/application.schema.ts';
import { getProgramSettings, updateProgramSettings } from '../portal/applications/program-settings.ts';
import { CheckPortalHost, countHostCheck, requestCheck } from '../portal/host/portal-host.ts';

/** Settings of sign-up pages and of the portal, for the page Settings > Portal. */
export const portalSettingsRouter = router({
  get: rest(read('campaigns'), 'GET /api/settings/v1/portal_settings', {
    summary: 'Retrieve the portal settings',
    description: 'Returns the settings of sign-up pages and the portal: brand, approval, questions, terms, host name.',
  })
    .input(GetProgramSettings)
    .output(ProgramSettings)
    .query(({ ctx }) => getProgramSettings(ctx)),

  update: rest(
    write('campaigns', UpdateProgramSettings, {
      check: async (ctx, { portal_host }) => {
        if (typeof portal_host === 'string') await countHostCheck(ctx);
      },
    }),
    'PATCH /api/settings/v1/portal_settings',
    {
      summary: 'Update the portal settings',
      description: 'Updates the given fields. `terms` publishes a new version of the terms.',
    },
  )
    .output(ProgramSettings)
    .mutation(({ ctx, input }) => updateProgramSettings(ctx, input)),

  /** Requests a check of the portal host. A worker makes the check within seconds. */
  checkHost: rest(
    write('campaigns', CheckPortalHost, { check: (ctx) => countHostCheck(ctx) }),
    'POST /api/settings/v1/portal_settings/check_host',
    {
      summary: 'Check the host name of the portal',
      errors: ['NOT_FOUND'],
      description: 'Requests a check, which is made within seconds. `portal_host` of the settings then has the result.',
    },
  )
    .output(ProgramSettings)
    .mutation(async ({ ctx }) => {
      await requestCheck(ctx);
      return getProgramSettings(ctx);
    }),

  setLogo: rest(write('campaigns', SetLogo), 'PUT /api/settings/v1/portal_settings/logo', {
    summary: 'Set the logo',
    description: 'Affiliates see the logo on sign-up pages, in the portal and in emails.',
  })
    .output(ProgramSettings)
    .mutation(async ({ ctx, input }) => {
      await setLogo(ctx, input);
      return getProgramSettings(ctx);
    }),

  uploadLogo: rest(write('campaigns', UploadLogo), 'PUT /api/settings/v1/portal_settings/logo/upload', {
    summary: 'Upload the logo',
    description: 'Does the same as setting the logo, but takes the bytes of the image as the body of the request.',
  })
    .meta({ maxUploadBytes: MAX_LOGO_BYTES })
    .output(ProgramSettings)
    .mutation(async ({ ctx }) => {
      await uploadLogo(ctx);
      return getProgramSettings(ctx);
    }),

  removeLogo: rest(write('campaigns', RemoveLogo), 'DELETE /api/settings/v1/portal_settings/logo', {
    summary: 'Remove the logo',
    description: 'Affiliates see the name of the account instead.',
    status: 204,
  })
    .output(ProgramSettings)
    .mutation(async ({ ctx }) => {
      await removeLogo(ctx);
      return getProgramSettings(ctx);
    }),
});
