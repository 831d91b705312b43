/** ISO 4217 codes that the service accepts. */
export const CURRENCIES: readonly string[] = Intl.supportedValuesOf('currency');
