/** Parts of an address before the `@` that a mail provider ignores. Addresses that differ only in these parts are one mailbox. */
interface Mailbox {
  /** The domain under which its addresses are compared. */
  domain: string;
  /** Ignores dots. */
  dots: boolean;
  /** Ignores `+` and everything after it. */
  plus: boolean;
}

/** The mail providers with such rules, by domain. At other domains every character counts. */
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

/** Folds an address, so that addresses of the same mailbox compare equal. Folding again changes nothing. */
export function normalizeEmail(email: string): string {
  const [local, host] = splitLast(email.trim().toLowerCase(), '@');
  const mailbox = MAILBOXES.get(host);
  if (!mailbox) return `${local}@${host}`;
  // An address that is empty without its tag names no mailbox, and stays as it is.
  const name = (mailbox.plus && local.split('+')[0]) || local;
  const folded = (mailbox.dots && name.replaceAll('.', '').trim()) || name;
  return `${folded}@${mailbox.domain}`;
}

/** The domains of addresses that may fold to the same as `email`. */
export function domainsLike(email: string): string[] {
  const [, host] = splitLast(normalizeEmail(email), '@');
  const same = [...MAILBOXES].filter(([, { domain }]) => domain === host).map(([domain]) => domain);
  return same.length > 0 ? same : [host];
}

/** The addresses by which an affiliate is known. */
export interface AffiliateAddresses {
  email: string;
  walleta_email: string | null;
  walletb_email: string | null;
}

export function addressesOf({ email, walleta_email, walletb_email }: AffiliateAddresses): string[] {
  return [email, walleta_email, walletb_email].filter((address) => address !== null);
}

/** True if affiliate and customer are the same person. Their commissions are flagged for review (docs/domain-rules.md#self-referral). */
export function isSelfReferral(affiliate: AffiliateAddresses, customerEmails: readonly string[]): boolean {
  if (customerEmails.length === 0) return false;
  const customer = new Set(customerEmails.map(normalizeEmail));
  return addressesOf(affiliate).some((address) => customer.has(normalizeEmail(address)));
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}
