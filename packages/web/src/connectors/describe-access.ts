import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/connectors.ts';
import { t as counts } from '../texts/counts.ts';

/** Describes the access of a connector in a few words: which resources it can change, and how much it may pay. */
export function accessOfConnector({ permissions, daily_pay_limits }: Outputs['connectors']['get']): string {
  const granted = Object.entries(permissions).flatMap(([name, isGranted]) => (isGranted ? [name] : []));
  const writes = granted.filter((name) => name.endsWith('.write')).map((name) => name.split('.')[1]!.replaceAll('_', ' '));
  if (writes.length === 0) return t.read({ resources: counts.resources(granted.length) });
  const limits = daily_pay_limits?.map(({ currency, amount_cents }) => formatMoney(amount_cents, currency)).join(', ');
  return [t.readWrite({ value: writes.join(', ') }), ...(limits === undefined ? [] : [t.paysUpTo({ amounts: limits })])].join(
    '; ',
  );
}
