/** An email provider's rules for the part of an address before the `@`. Addresses that differ only in ignored characters reach the same mailbox. */
interface Mailbox {
  /** In a normalized address, this domain replaces every domain of the email provider. */
  domain: string;
  /** True if the email provider ignores dots before the `@`. */
  dots: boolean;
  /** True if the email provider ignores `+` and everything between `+` and `@`. */
  plus: boolean;
}

/** The rules of email providers, by domain. At all other domains, no character is ignored. */
const MAILBOXES: ReadonlyMap<string, Mailbox> = new Map(
  [
    { domains: ['gmail.com', 'googlemail.com'], dots: true, plus: true },
    { domains: ['icloud.com', 'me.com', 'mac.com'], dots: false, plus: true },
    { domains: ['proton.me', 'protonmail.com', 'pm.me'], dots: false, plus: true },
    ...[
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'fastmail.com',
      'fastmail.fm',
      'zoho.com',
      'hey.com',
      'mailbox.org',
      'posteo.de',
    ].map((domain) => ({ domains: [domain], dots: false, plus: true })),
  ].flatMap(({ domains, ...rules }) => domains.map((domain) => [domain, { domain: domains[0]!, ...rules }] as const)),
);

/** Normalizes an address, so that addresses of the same mailbox compare equal. Normalizing an already normalized address does not change it. */
export function normalizeEmail(email: string): string {
  const [local, host] = splitLast(email.trim().toLowerCase(), '@');
  const mailbox = MAILBOXES.get(host);
  if (!mailbox) return `${local}@${host}`;
  // A removal that would leave an empty name is skipped.
  const name = (mailbox.plus && local.split('+')[0]) || local;
  const folded = (mailbox.dots && name.replaceAll('.', '').trim()) || name;
  return `${folded}@${mailbox.domain}`;
}

/** Returns the domains whose addresses may normalize to the same address as `email`. */
export function domainsLike(email: string): string[] {
  const [, host] = splitLast(normalizeEmail(email), '@');
  const same = [...MAILBOXES].filter(([, { domain }]) => domain === host).map(([domain]) => domain);
  return same.length > 0 ? same : [host];
}

/**
 * True if the customer has one of the affiliate's email addresses, including those for payouts. Such commissions are flagged for review
 * (docs/rules/ledger.md#self-referral).
 */
export function isSelfReferral(ownEmails: readonly string[], customerEmails: readonly string[]): boolean {
  if (customerEmails.length === 0) return false;
  const customer = new Set(customerEmails.map(normalizeEmail));
  return ownEmails.some((address) => customer.has(normalizeEmail(address)));
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}
