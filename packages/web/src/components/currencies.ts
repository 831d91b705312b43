import { CURRENCIES } from '@affiliate/core/browser';

const NAMES = new Intl.DisplayNames(undefined, { type: 'currency' });

/** Every currency that the service accepts, as options of a select. */
export const CURRENCY_CHOICES = CURRENCIES.map((code) => ({ value: code, label: `${code} – ${NAMES.of(code)}` }));
