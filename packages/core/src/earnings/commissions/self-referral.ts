const ALIASES = new Map([['googlemail.com', 'gmail.com']]);

/** One form for addresses that reach the same mailbox: case, `+tags`, and Gmail's dots and second domain make no difference. */
export function normalizeEmail(email: string): string {
  const [local, domain] = splitLast(email.trim().toLowerCase(), '@');
  const host = ALIASES.get(domain) ?? domain;
  const mailbox = local.split('+')[0]!;
  return `${host === 'gmail.com' ? mailbox.replaceAll('.', '') : mailbox}@${host}`;
}

/** An affiliate who buys through their own link (docs/domain-rules.md#self-referral): flagged for review, never voided by itself. */
export function isSelfReferral(affiliateEmail: string, customerEmail: string | null): boolean {
  return customerEmail !== null && normalizeEmail(affiliateEmail) === normalizeEmail(customerEmail);
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
