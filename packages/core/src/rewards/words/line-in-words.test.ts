import { expect, it } from 'vitest';
import { type ExplainedLine, lineInWords } from './line-in-words.ts';

const LINE: ExplainedLine = {
  rule_name: 'Pro',
  rule_version: 3,
  pay: { kind: 'percent', basis_points: 2_500 },
  note: null,
  quantity: 2,
  at_most_cents: null,
  base_cents: 1_000,
  sale_currency: 'EUR',
  amount_cents: 250,
  currency: 'USD',
};
const unit = (per: 'sale' | 'unit') => ({ kind: 'fixed', amount_cents: 125, currency: 'USD', per }) as const;
const BY = 'The rule “Pro” (version 3) decides';

it.each<[Partial<ExplainedLine>, string]>([
  [{}, `${BY}: 25% of €10.00 is US$2.50.`],
  [{ pay: { kind: 'nothing' } }, `${BY}: nothing.`],
  [{ base_cents: 0 }, `${BY}: nothing is left of the line after refunds.`],
  [{ pay: unit('unit') }, `${BY}: US$1.25 for each of 2 units is US$2.50.`],
  [{ pay: unit('sale') }, `${BY}: US$1.25 for the lines of the rule, of which this line has US$2.50.`],
  [{ at_most_cents: 200 }, `${BY}: 25% of €10.00 is US$2.50. At most US$2.00 for all lines of the rule.`],
  [
    { at_most_cents: 200, note: 'cap_other_currency' },
    `${BY}: 25% of €10.00 is US$2.50. The maximum of the rule is in another currency than its payment, so it does not count.`,
  ],
  [{ note: 'other_currency' }, `${BY}. It pays in another currency than the commission, and nothing is converted.`],
  [{ rule_name: null, rule_version: null }, 'No rule matches, so the base reward decides: 25% of €10.00 is US$2.50.'],
  [{ rule_name: null }, 'The rule “” (version 3) decides: 25% of €10.00 is US$2.50.'],
])('a line with %j is explained in words', (more, words) => {
  expect(lineInWords({ ...LINE, ...more }).replaceAll('\u00A0', ' ')).toBe(words);
});

it('an affiliate does not read the name of the rule', () => {
  expect(lineInWords(LINE, 'en', false)).toBe('A special reward decides: 25% of €10.00 is US$2.50.');
  expect(lineInWords({ ...LINE, rule_version: null }, 'en', false)).toBe(
    'No rule matches, so the base reward decides: 25% of €10.00 is US$2.50.',
  );
});
