import { z } from 'zod';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { id, instant, nameText } from '../../platform/wire/scalars.ts';

export const Profile = z.object({
  email: z.string(),
  name: z.string(),
  language: z
    .enum(LANGUAGES)
    .nullable()
    .describe('Language of pages and emails; null until the person has signed in with a browser.'),
  has_password: z.boolean().describe('`true` if the person has a password. People without one sign in by link.'),
  has_second_factor: z.boolean().describe('`true` if signing in asks for a code.'),
});
export type Profile = z.infer<typeof Profile>;

export const UpdateProfile = z.strictObject({
  name: nameText(200).optional().describe('Name that other members see.'),
  language: z.enum(LANGUAGES).optional().describe('Language of pages and mails.'),
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

export const OwnSessions = z.object({
  data: z
    .array(
      z.object({
        id: id('session'),
        browser: z.string().nullable().describe('Family of the browser, e.g. `Firefox`; null when it is unknown.'),
        os: z.string().nullable().describe('Family of the operating system, e.g. `macOS`; null when it is unknown.'),
        started_at: instant(),
        last_seen_at: instant().describe('Time of the last use, exact to ten minutes.'),
        is_current: z.boolean().describe('`true` if this is the session of the call.'),
      }),
    )
    .describe('The session of the call comes first. The others follow by last use, latest first. At most 100.'),
});
export type OwnSessions = z.infer<typeof OwnSessions>;

export const EndSession = z.strictObject({ session_id: id('session') });
export type EndSession = z.infer<typeof EndSession>;
