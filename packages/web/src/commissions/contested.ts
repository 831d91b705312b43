import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/commissions.ts';
import type { Commission } from './columns.tsx';

/** The reward that the facts known now give instead of a paid one. */
export type Contested = NonNullable<Commission['contested']>;

/** Says what a paid reward would be by the facts that are known now. */
export function contestInWords({ affiliate_id, amount_cents }: Contested, currency: string): string {
  if (affiliate_id !== null) return t.nowAnother;
  return amount_cents === 0 ? t.nowNothing : t.nowAmount({ amount: formatMoney(amount_cents, currency) });
}
