import { z } from 'zod';
import { timeZone } from '../../identity/accounts/account.schema.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { currency, email, id, nameText } from '../../platform/wire/scalars.ts';

const token = z.string().min(1).max(200).describe('Token from the setup link that the service printed when it started.');

export const SetupToken = z.strictObject({ token });
export const NewSetupToken = z.object({ token: z.string() });
export const GetSetupNeeded = z.strictObject({}).optional();
export const IsSetupNeeded = z.object({ is_needed: z.boolean() });
export const SetupState = z.object({
  sends_mail: z
    .boolean()
    .describe('False if no mail server is configured. Mails, with their links, are then written to the log.'),
});
export type SetupState = z.infer<typeof SetupState>;

export const SendTestMail = z.strictObject({ token, email: email(), language: z.enum(LANGUAGES).default('en') });
export type SendTestMail = z.infer<typeof SendTestMail>;
export const TestMailSent = z.object({
  problem: z.string().nullable().describe('Reason why the email could not be sent; null if it was sent.'),
});
export type TestMailSent = z.infer<typeof TestMailSent>;

export const CompleteSetup = z.strictObject({
  token,
  owner_name: nameText(200),
  owner_email: email(),
  owner_password: z.string().min(8).max(128),
  program_name: nameText(200),
  currency: currency(),
  time_zone: timeZone().optional(),
  example_data: z.boolean().describe('`true` to create a campaign, an affiliate and a link to look at.'),
});
export type CompleteSetup = z.infer<typeof CompleteSetup>;
export const SetupCompleted = z.object({ account_id: id('account') });
export type SetupCompleted = z.infer<typeof SetupCompleted>;
