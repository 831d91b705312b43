import { compose } from '../../platform/mail/letter.ts';

/** Tells a person that an owner or the operator has removed their second factor. */
export function secondFactorRemovedMail(publicUrl: string, { email, by }: { email: string; by: string }) {
  return compose({
    to: email,
    subject: 'Your second factor was removed',
    lines: [`${by} removed the second factor of ${email}. From now on your password or a sign-in link is enough to sign in.`],
    link: { label: 'Open the profile', url: `${publicUrl}/settings/profile` },
    closing:
      'You can set up a new one in your profile. If you did not ask for this, change your password and tell the owners of your team.',
  });
}
