import { decimalAmount } from '../../platform/money/decimal.ts';

/** The terms of a campaign that its affiliates read. */
export interface RewardTerms {
  reward_type: 'percent' | 'fixed';
  commission_basis_points: number | null;
  commission_amount_cents: number | null;
  commission_amount_currency: string | null;
  max_commission_period_months: number | null;
  max_commissions: number | null;
  custom_reward_description: string | null;
}

/** Describes a campaign's reward in one sentence: the merchant's own words, or else its terms. */
export function rewardInWords(terms: RewardTerms): string {
  if (terms.custom_reward_description !== null && terms.custom_reward_description.trim() !== '')
    return terms.custom_reward_description;
  const { max_commission_period_months: months, max_commissions: most } = terms;
  const which = most === 1 ? 'the first sale' : 'every sale';
  const limits = [
    ...(months === null || most === 1 ? [] : [`for ${months} ${months === 1 ? 'month' : 'months'}`]),
    ...(most === null || most === 1 ? [] : [`up to ${most} sales`]),
  ];
  return `${[`${amount(terms)} ${which} to a customer you refer`, ...limits].join(', ')}.`;
}

function amount({
  reward_type,
  commission_basis_points,
  commission_amount_cents,
  commission_amount_currency,
}: RewardTerms): string {
  if (reward_type === 'percent') return `${(commission_basis_points ?? 0) / 100}% of`;
  const currency = commission_amount_currency ?? '';
  return `${decimalAmount(commission_amount_cents ?? 0, currency)} ${currency} for`;
}
