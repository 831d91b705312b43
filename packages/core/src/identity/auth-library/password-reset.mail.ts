import { compose } from '../../platform/mail/letter.ts';

/** The page that the link opens takes the token from the fragment, which reaches no server and no log. */
export function passwordResetMail(publicUrl: string, { email, token }: { email: string; token: string }) {
  return compose({
    to: email,
    subject: 'Choose a new password',
    lines: [`Someone, probably you, asked for a new password for ${email}.`],
    link: { label: 'Choose a new password', url: `${publicUrl}/reset-password#token=${token}` },
    closing: 'The link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.',
  });
}
