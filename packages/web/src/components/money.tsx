import { formatMoney } from './amounts.ts';

/** An amount in the minor unit; negative ones are clawbacks. */
export function Money({ cents, currency }: { cents: number; currency: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{formatMoney(cents, currency)}</span>;
}
