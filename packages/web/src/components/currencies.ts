const NAMES = new Intl.DisplayNames(undefined, { type: 'currency' });

/** Every currency that the service knows, for choosing one. */
export const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} – ${NAMES.of(code)}`,
}));
