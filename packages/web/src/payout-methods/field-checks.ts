import { isRoutingNumber, plainIban, problemOfIban } from '@affiliate/core/browser';
import { t } from '../texts/payout-methods.ts';

/** Checks of parts of an address whose typing errors can be found without the service, by the names of the fields. */
const CHECKS = new Map<string, (text: string) => string | null>([
  ['routing_number', (text) => (isRoutingNumber(text.replaceAll(/\s/g, '')) ? null : t.wrongRoutingNumber)],
  [
    'iban',
    (text) => {
      const problem = problemOfIban(plainIban(text));
      if (problem === null) return null;
      return { malformed: t.malformedIban, country: t.countryOfIban, length: t.lengthOfIban, check_digits: t.checkDigitsOfIban }[
        problem
      ];
    },
  ],
]);

/** Returns what is wrong with a part of an address, or null. An empty part is left to the form. */
export function problemOfField(name: string, text: string): string | null {
  return text.trim() === '' ? null : (CHECKS.get(name)?.(text) ?? null);
}
