import { compose } from '../../platform/mail/letter.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function signInLinkMail(publicUrl: string, { email, token }: { email: string; token: string }) {
  return compose({
    to: email,
    subject: 'Your sign-in link',
    lines: [`Use this link to sign in as ${email}.`],
    link: { label: 'Sign in', url: `${publicUrl}/sign-in/link#token=${token}` },
    closing:
      'The link can be used once and expires in 15 minutes. If you did not request this, ignore this e-mail: nobody is signed in without it.',
  });
}
