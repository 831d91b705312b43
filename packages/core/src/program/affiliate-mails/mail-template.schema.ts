import { z } from 'zod';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { nameText, text } from '../../platform/wire/scalars.ts';
import { AFFILIATE_MAIL_NAMES } from './mail-catalog.ts';

const mail = z.enum(AFFILIATE_MAIL_NAMES).describe('Name of the email.');
const language = z.enum(LANGUAGES).default('en').describe('Language of the texts.');
const SUBJECT = { description: 'Subject. May contain placeholders.', example: 'Your application to {{account_name}}' };
const subject = nameText(200).meta(SUBJECT);
const BODY = {
  description: 'Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`.',
  example: 'Thank you.\n\n{{account_name}} will review your application within two days.',
};
const body = text(5_000).meta(BODY);

export const ListMailTemplates = z.strictObject({ language }).optional();
export type ListMailTemplates = z.infer<typeof ListMailTemplates>;
export const MailTemplate = z
  .object({
    mail,
    language: z.enum(LANGUAGES),
    subject: z.string().meta(SUBJECT),
    body: z.string().meta(BODY),
    is_default: z.boolean().describe('`true` if these are the default texts.'),
    is_optional: z.boolean().describe('`true` if you may choose not to send this email.'),
    can_unsubscribe: z
      .boolean()
      .describe('`true` for an email of the program. Each of these contains a link with which its reader ends all of them.'),
    is_sent: z.boolean().describe('`true` if this email is sent.'),
    placeholders: z.array(z.string()).describe('Names of the placeholders that subject and body may contain.'),
  })
  .meta({ id: 'EmailText', description: 'The texts of an email to affiliates.' });
export type MailTemplate = z.infer<typeof MailTemplate>;
export const MailTemplates = z.object({ data: z.array(MailTemplate) });

export const UpdateMailTemplate = z.strictObject({ mail, language, subject, body });
export type UpdateMailTemplate = z.infer<typeof UpdateMailTemplate>;

export const ChooseMail = z
  .strictObject({ mail, is_sent: z.boolean().describe('`false` to stop sending this email.') })
  .meta({ example: { is_sent: true } });
export type ChooseMail = z.infer<typeof ChooseMail>;

export const NamedMail = z.strictObject({ mail, language });
export type NamedMail = z.infer<typeof NamedMail>;

export const MailPreview = z.object({
  subject: z.string(),
  text: z.string().describe('The email as plain text.'),
  html: z.string().describe('The email as HTML.'),
});
export const TestMail = z.object({ to: z.string().describe('Email address of the person who requested the mail.') });
