import { expect, it } from 'vitest';
import { type RewardTerms, rewardInWords } from './reward.ts';

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

it.each([
  [PERCENT, '12.5% of every sale to a customer you refer.'],
  [{ ...PERCENT, max_commission_period_months: 12 }, '12.5% of every sale to a customer you refer, for 12 months.'],
  [
    { ...PERCENT, max_commission_period_months: 1, max_commissions: 3 },
    '12.5% of every sale to a customer you refer, for 1 month, up to 3 sales.',
  ],
  [{ ...FIXED, max_commissions: 1 }, '5.00 USD for the first sale to a customer you refer.'],
  [{ ...FIXED, commission_amount_currency: 'JPY' }, '500 JPY for every sale to a customer you refer.'],
  [{ ...FIXED, custom_reward_description: 'A free month.' }, 'A free month.'],
  [{ ...FIXED, custom_reward_description: ' ' }, '5.00 USD for every sale to a customer you refer.'],
])('%# reads as words', (terms, words) => {
  expect(rewardInWords(terms)).toBe(words);
});
