import { compose } from '../../platform/mail/letter.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** Tells a member without a second factor that the account requires one. */
export function secondFactorRequiredMail(
  publicUrl: string,
  { email, account, from, now }: { email: string; account: string; from: Instant; now: Instant },
) {
  const since =
    from > now
      ? `From ${from.slice(0, 10)} at ${from.slice(11, 16)} UTC you can open the account only with a second factor.`
      : 'From now on you can open the account only with a second factor.';
  return compose({
    to: email,
    subject: `${account} requires a second factor`,
    lines: [`An owner of ${account} requires a second factor of all members. You have none yet. ${since}`],
    link: { label: 'Set it up', url: `${publicUrl}/settings/profile` },
    closing: 'You need your password and an authenticator app. Your other accounts stay open.',
  });
}
