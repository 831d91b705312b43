const ALIASES = new Map([['googlemail.com', 'gmail.com']]);

/** Normalises an address, so that addresses of the same mailbox compare equal: ignores case, `+tags`, and Gmail's dots and second domain. */
export function normalizeEmail(email: string): string {
  const [local, domain] = splitLast(email.trim().toLowerCase(), '@');
  const host = ALIASES.get(domain) ?? domain;
  const mailbox = local.split('+')[0]!;
  return `${host === 'gmail.com' ? mailbox.replaceAll('.', '') : mailbox}@${host}`;
}

/** Whether affiliate and customer are the same person. Their commissions are flagged for review (docs/domain-rules.md#self-referral). */
export function isSelfReferral(affiliateEmail: string, customerEmail: string | null): boolean {
  return customerEmail !== null && normalizeEmail(affiliateEmail) === normalizeEmail(customerEmail);
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
