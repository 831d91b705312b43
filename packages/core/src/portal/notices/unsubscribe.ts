import { z } from 'zod';
import { memberMailChoice } from '../../identity/members/member-mails.ts';
import type { Services } from '../../platform/call/context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type EmailChoice, programMailChoice } from '../../program/affiliate-mails/program-mails.ts';
import { PORTAL_REASONS } from '../reasons.ts';

export const GetEmailChoice = z.strictObject({ token: z.string().min(1).max(500) });
export const ChooseEmails = z.strictObject({ ...GetEmailChoice.shape, gets_emails: z.boolean() });
export const ChosenEmails = z.object({
  account_name: z.string(),
  gets_emails: z.boolean(),
  is_member: z
    .boolean()
    .describe('`true` for one kind of email to a member, `false` for all emails of the program to an affiliate.'),
});

/**
 * Returns whether the recipient of an email gets more of them: an affiliate the emails of the program, or a member one kind of email. With `wanted`,
 * changes this. Calling it again changes nothing.
 *
 * @param token the token in the address that the email contains
 * @throws NOT_FOUND for a broken token, an erased affiliate, and a person who is no longer a member
 */
export async function emailChoice(services: Services, token: string, wanted?: boolean): Promise<z.infer<typeof ChosenEmails>> {
  const opened = openToken(services, token);
  const ofMember = await memberMailChoice(services.database.kysely, opened, wanted);
  const choice: EmailChoice | null = ofMember ?? (await programMailChoice(services, opened, wanted));
  if (!choice) throw unknownToken();
  return { ...choice, is_member: ofMember !== null };
}

function openToken({ secrets }: Services, token: string): string {
  try {
    return secrets.open(token);
  } catch {
    throw unknownToken();
  }
}

function unknownToken(): DomainError {
  return new DomainError('NOT_FOUND', PORTAL_REASONS.unsubscribe_link_invalid);
}
