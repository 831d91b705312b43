import { read, router, write } from '../platform/trpc/trpc.ts';
import {
  ListMailTemplates,
  MailPreview,
  MailTemplate,
  MailTemplates,
  NamedMail,
  TestMail,
  UpdateMailTemplate,
} from '../program/affiliate-mails/mail-template.schema.ts';
import {
  listMailTemplates,
  previewMail,
  resetMailTemplate,
  sendTestMail,
  updateMailTemplate,
} from '../program/affiliate-mails/mail-template.service.ts';

/** Procedures of the page Settings > Affiliate emails. Not part of the REST API. */
export const mailTemplatesRouter = router({
  list: read('campaigns')
    .input(ListMailTemplates)
    .output(MailTemplates)
    .query(({ ctx, input }) => listMailTemplates(ctx, input)),

  /** A mutation although it changes nothing, because texts of this length do not fit into the URL of a query. */
  preview: read('campaigns')
    .input(UpdateMailTemplate)
    .output(MailPreview)
    .mutation(({ ctx, input }) => previewMail(ctx, input)),

  update: write('campaigns', UpdateMailTemplate)
    .output(MailTemplate)
    .mutation(({ ctx, input }) => updateMailTemplate(ctx, input)),

  reset: write('campaigns', NamedMail)
    .output(MailTemplate)
    .mutation(({ ctx, input }) => resetMailTemplate(ctx, input)),

  sendTest: write('campaigns', NamedMail)
    .output(TestMail)
    .mutation(({ ctx, input }) => sendTestMail(ctx, input)),
});
