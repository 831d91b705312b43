import { formatMoney } from './amounts.ts';

/** Formats an amount in minor units. Negative amounts are clawbacks. */
export function Money({ cents, currency }: { cents: number; currency: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{formatMoney(cents, currency)}</span>;
}
