import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/campaigns.ts';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';

export type Campaign = Outputs['campaigns']['list']['data'][number];

/** Returns the base reward of a campaign: a percentage or an amount. */
export function rewardOf({
  reward_type,
  commission_percent,
  commission_amount_cents,
  commission_amount_currency,
}: Campaign): string {
  if (reward_type === 'percent')
    return ((commission_percent ?? 0) / 100).toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 4 });
  return formatMoney(commission_amount_cents ?? 0, commission_amount_currency ?? 'USD');
}

export function holdingPeriodOf({ days_until_commissions_are_due: days }: Campaign): string {
  return days === 0 ? t.none : counts.days(days);
}

export function minimumPayoutOf({ minimum_payout_cents: cents, minimum_payout_currency: currency }: Campaign): string {
  return cents === 0 ? t.none : formatMoney(cents, currency);
}
