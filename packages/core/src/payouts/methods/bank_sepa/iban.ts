/** Checks of account numbers, which the pages share. */

/** Countries of the Single Euro Payments Area, with the length of their IBANs. Accounts of other countries cannot be paid by SEPA. */
const LENGTHS = new Map(
  `AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22
  MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Why a text is not the IBAN of an account that SEPA reaches. */
export type IbanProblem = 'malformed' | 'country' | 'length' | 'check_digits';

/** Returns an IBAN as it is written in files: capitals, without blanks. */
export function plainIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** Returns the first problem of an IBAN (`plainIban`), or null. */
export function problemOfIban(iban: string): IbanProblem | null {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/.test(iban)) return 'malformed';
  const length = LENGTHS.get(iban.slice(0, 2));
  if (length === undefined) return 'country';
  if (iban.length !== length) return 'length';
  return remainderOf(iban) === 1 ? null : 'check_digits';
}

/** Returns the remainder by 97 of the number that ISO 7064 makes of an IBAN: country and check digits at the end, letters from A = 10. */
function remainderOf(iban: string): number {
  let remainder = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
