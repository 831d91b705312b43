import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Loaded } from '../components/loaded.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

interface Sum {
  currency: string;
  count: number;
  amount_cents: number;
}

/**
 * Summarizes the payouts that an export or a run would include: the selected ones or, if none is selected, all eligible ones. `isEmpty` is
 * true if there are none, and while they are loading.
 */
export function usePayoutSummary(payouts: Payout[]): { summary: ReactNode; isEmpty: boolean } {
  const selected = payouts.length > 0;
  const overview = useQuery(trpc.overview.get.queryOptions({}, { enabled: !selected }));
  if (selected) return { summary: <Sums intro={t.selectedPayouts} sums={sumsOf(payouts)} />, isEmpty: false };
  const sums = overview.data?.due.map(({ currency, payable }) => ({ currency, ...payable })).filter(({ count }) => count > 0);
  return {
    summary: <Loaded query={overview}>{() => <Sums intro={t.allEligiblePayouts} sums={sums ?? []} />}</Loaded>,
    isEmpty: sums === undefined || sums.length === 0,
  };
}

function Sums({ intro, sums }: { intro: string; sums: Sum[] }) {
  if (sums.length === 0) return <Text>{t.noneEligible}</Text>;
  return (
    <div>
      <Text>{intro}</Text>
      <List>
        {sums.map(({ currency, count, amount_cents }) => (
          <List.Item key={currency}>
            {counts.payouts(count)}, {formatMoney(amount_cents, currency)}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function sumsOf(payouts: Payout[]): Sum[] {
  return [...Map.groupBy(payouts, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    count: group.length,
    amount_cents: group.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  }));
}
