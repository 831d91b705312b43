import { compose } from '../../platform/mail/letter.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function passwordResetMail(publicUrl: string, { email, token }: { email: string; token: string }) {
  return compose({
    to: email,
    subject: 'Reset your password',
    lines: [`We received a request to reset the password for ${email}.`],
    link: { label: 'Reset password', url: `${publicUrl}/reset-password#token=${token}` },
    closing:
      'The link can be used once and expires in one hour. If you did not request this, ignore this e-mail. Your password will not change.',
  });
}
