import { expect, it } from 'vitest';
import { type RewardTerms, rewardInLanguages } from './reward.ts';

const PERCENT: RewardTerms = {
  reward_type: 'percent',
  commission_basis_points: 1250,
  commission_amount_cents: null,
  commission_amount_currency: null,
  max_commission_period_months: null,
  max_commissions: null,
  custom_reward_description: null,
};
const FIXED: RewardTerms = { ...PERCENT, reward_type: 'fixed', commission_amount_cents: 500, commission_amount_currency: 'USD' };

it('a reward with exceptions does not promise a share of every sale', () => {
  const { en, de } = rewardInLanguages({ ...PERCENT, max_commissions: 3 }, true);
  expect(en).toBe('12.5% of every sale to a customer you refer, up to 3 sales, unless a special reward applies.');
  expect(de).toMatch(/höchstens 3 Verkäufe, sofern keine besondere Provision gilt\.$/);
  expect(rewardInLanguages({ ...PERCENT, custom_reward_description: 'A free month.' }, true).en).toBe('A free month.');
});

it.each([
  [PERCENT, '12.5% of every sale to a customer you refer.', '12,5 % von jedem Verkauf an Kunden, die Sie werben.'],
  [
    { ...PERCENT, max_commission_period_months: 12 },
    '12.5% of every sale to a customer you refer, for 12 months.',
    '12,5 % von jedem Verkauf an Kunden, die Sie werben, 12 Monate lang.',
  ],
  [
    { ...PERCENT, max_commission_period_months: 1, max_commissions: 3 },
    '12.5% of every sale to a customer you refer, for 1 month, up to 3 sales.',
    '12,5 % von jedem Verkauf an Kunden, die Sie werben, 1 Monat lang, höchstens 3 Verkäufe.',
  ],
  [
    { ...FIXED, max_commissions: 1 },
    'US$5.00 for the first sale to a customer you refer.',
    '5,00 $ für den ersten Verkauf an jeden Kunden, den Sie werben.',
  ],
  [
    { ...FIXED, commission_amount_currency: 'EUR' },
    '€5.00 for every sale to a customer you refer.',
    '5,00 € für jeden Verkauf an Kunden, die Sie werben.',
  ],
  [{ ...FIXED, custom_reward_description: 'A free month.' }, 'A free month.', 'A free month.'],
  [
    { ...FIXED, custom_reward_description: ' ' },
    'US$5.00 for every sale to a customer you refer.',
    '5,00 $ für jeden Verkauf an Kunden, die Sie werben.',
  ],
])('reward %# is described in words in both languages', (terms, english, german) => {
  const { en, de } = rewardInLanguages(terms, false);
  expect([en, de.replaceAll('\u00a0', ' ')]).toEqual([english, german]);
});
