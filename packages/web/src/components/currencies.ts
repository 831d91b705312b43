import { CURRENCIES } from '@affiliate/core/browser';
import { LOCALE } from '../texts/language.ts';

let choices: { value: string; label: string }[] | undefined;

/** Returns every currency that the service accepts, as options of a select. Looks up the currency names on the first call. */
export function currencyChoices(): { value: string; label: string }[] {
  if (choices) return choices;
  const names = new Intl.DisplayNames(LOCALE, { type: 'currency' });
  choices = CURRENCIES.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
  return choices;
}
