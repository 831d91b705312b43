import { compose } from '../../platform/mail/letter.ts';

/** Tells of changed payout details, so that nobody is paid elsewhere unnoticed. Names no address: the mail goes to the former ones too. */
export function payoutDetailsMail(
  publicUrl: string,
  { to, accountName, heldUntil }: { to: string; accountName: string; heldUntil: string | null },
) {
  return compose({
    to,
    subject: `Your payout details at ${accountName} have changed`,
    lines: [
      `The address to which ${accountName} pays your commissions was changed in your affiliate portal.`,
      ...(heldUntil === null ? [] : [`No payout is sent to the new address before ${heldUntil.slice(0, 10)}.`]),
    ],
    link: { label: 'Check your payout details', url: `${publicUrl}/portal/payout-details` },
    closing: `If this was not you, tell ${accountName} at once, and change the password of your e-mail account.`,
  });
}
