import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import {
  BlockedAddresses,
  countUnblocking,
  ListBlockedAddresses,
  listBlockedAddresses,
  UnblockAddress,
  unblockAddress,
} from '../program/affiliate-mails/blocked-addresses.ts';
import {
  chooseMail,
  ChooseMail,
  listMailTemplates,
  ListMailTemplates,
  MailPreview,
  MailTemplate,
  MailTemplates,
  NamedMail,
  previewMail,
  resetMailTemplate,
  sendTestMail,
  TestMail,
  updateMailTemplate,
  UpdateMailTemplate,
} from '../program/affiliate-mails/mail-template.ts';

/** Procedures of the page Settings > Affiliate emails. */
export const emailTextsRouter = router({
  list: rest(read('campaigns'), 'GET /api/settings/v1/email_texts', {
    summary: 'List the texts of emails to affiliates',
    description:
      'Returns the texts of every email in a language: your own, or the default ones. The list is complete and has no pages.',
  })
    .input(ListMailTemplates)
    .output(MailTemplates)
    .query(({ ctx, input }) => listMailTemplates(ctx, input)),

  listBlocked: rest(read('affiliates', 'invitations'), 'GET /api/settings/v1/blocked_addresses', {
    summary: 'List addresses that get no emails',
    description:
      'Returns the addresses of your affiliates and of invited people that do not exist or whose owner reported an email as spam. The list has no pages.',
  })
    .input(ListBlockedAddresses)
    .output(BlockedAddresses)
    .query(({ ctx }) => listBlockedAddresses(ctx)),

  unblock: rest(
    write('invitations', UnblockAddress, { also: ['affiliates'], check: (ctx) => countUnblocking(ctx) }),
    'POST /api/settings/v1/blocked_addresses/unblock',
    {
      summary: 'Unblock an address',
      description:
        'Makes an address get emails again: if it did not exist, from everybody; if its owner reported an email as spam, from you. A new report blocks it again. At most 20 a day.',
    },
  )
    .output(BlockedAddresses)
    .mutation(({ ctx, input }) => unblockAddress(ctx, input)),

  /** A mutation although it changes nothing, because texts of this length do not fit into the URL of a query. */
  preview: rest(read('campaigns'), 'POST /api/settings/v1/email_texts/{mail}/preview', {
    summary: 'Preview an email to affiliates',
    description: 'Returns the email with the given texts and example values. Stores nothing.',
  })
    .input(UpdateMailTemplate)
    .output(MailPreview)
    .mutation(({ ctx, input }) => previewMail(ctx, input)),

  update: rest(write('campaigns', UpdateMailTemplate), 'PUT /api/settings/v1/email_texts/{mail}', {
    summary: 'Replace the texts of an email',
    description: 'Stores your own texts of an email in a language. Emails that were sent do not change.',
  })
    .output(MailTemplate)
    .mutation(({ ctx, input }) => updateMailTemplate(ctx, input)),

  choose: rest(write('campaigns', ChooseMail), 'PATCH /api/settings/v1/email_texts/{mail}', {
    summary: 'Start or stop sending an email',
    description: 'Only emails with `is_optional` can be stopped.',
  })
    .output(MailTemplate)
    .mutation(({ ctx, input }) => chooseMail(ctx, input)),

  reset: rest(write('campaigns', NamedMail), 'POST /api/settings/v1/email_texts/{mail}/reset', {
    summary: 'Reset the texts of an email',
    description: 'Deletes your own texts of an email in a language, and returns the default ones.',
  })
    .output(MailTemplate)
    .mutation(({ ctx, input }) => resetMailTemplate(ctx, input)),

  sendTest: rest(write('campaigns', NamedMail), 'POST /api/settings/v1/email_texts/{mail}/test', {
    summary: 'Send an email with example values to yourself',
    description: 'Only signed-in members can send it, because an API key has no email address.',
  })
    .output(TestMail)
    .mutation(({ ctx, input }) => sendTestMail(ctx, input)),
});
