import { compose } from '../../platform/mail/letter.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** Tells an owner that the account will be deleted, and how to keep it. */
export function accountDeletionMail(publicUrl: string, { email, account, at }: { email: string; account: string; at: Instant }) {
  return compose({
    to: email,
    subject: `${account} will be deleted`,
    lines: [
      `An owner asked to delete the account ${account}.`,
      `On ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC all of its records are removed for good: affiliates, sales, commissions, payouts and settings.`,
    ],
    link: { label: 'Keep the account', url: `${publicUrl}/settings/account` },
    closing: 'Until then everything works as before, and any owner can keep the account on its settings page.',
  });
}
