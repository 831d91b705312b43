import { expect, it } from 'vitest';
import { decimalAmount } from '../../packages/core/src/platform/money/decimal.ts';
import { amountText } from '../../packages/web/src/components/amounts.ts';

// Browsers get nothing of the core but types, so the pages have a rule of their own: it must say the same of every currency.
it.each(Intl.supportedValuesOf('currency'))('the pages count %s as the service does', (currency) => {
  for (const cents of [0, 5, -5, 1_234_567]) expect(amountText(cents, currency)).toBe(decimalAmount(cents, currency));
});
