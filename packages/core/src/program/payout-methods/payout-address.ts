/** The address of a payout method, in the form of its kind. An `email` in it belongs to the affiliate and gets mail about changes. */
export type PayoutAddress = Readonly<Record<string, string>>;

/** The addresses of an affiliate's methods that are not removed, by kind. */
export type PayoutAddresses = Readonly<Record<string, PayoutAddress>>;

/** Returns enough of an address for its owner to recognize it: the end of a number, or the beginning and the domain of an email address. */
export function hintOf(address: PayoutAddress): string {
  const { email, iban, account_number } = address;
  if (email !== undefined) return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
  if (iban !== undefined) return `${iban.slice(0, 2)}…${iban.slice(-4)}`;
  const number = account_number ?? Object.values(address)[0] ?? '';
  return `…${number.slice(-Math.min(4, Math.floor(number.length / 2)))}`;
}
