import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { formatMoney } from '../components/amounts.ts';
import type { Payout } from './payout.ts';

interface Sum {
  currency: string;
  count: number;
  amount_cents: number;
}

/** How many payouts an export or a run would take, and how much that is: those selected, or all that are payable. */
export function PayoutSummary({ payouts }: { payouts: Payout[] }) {
  return payouts.length > 0 ? <Sums intro="The selected payouts:" sums={sumsOf(payouts)} /> : <EligiblePayouts />;
}

function EligiblePayouts() {
  const overview = useQuery(trpc.overview.get.queryOptions({}));
  return (
    <Loaded query={overview}>
      {({ due }) => (
        <Sums
          intro="All payouts that are payable now:"
          sums={due.map(({ currency, payable }) => ({ currency, ...payable })).filter(({ count }) => count > 0)}
        />
      )}
    </Loaded>
  );
}

function Sums({ intro, sums }: { intro: string; sums: Sum[] }) {
  if (sums.length === 0) return <Text>No payout is payable now. The list says of each one what it waits for.</Text>;
  return (
    <div>
      <Text>{intro}</Text>
      <List>
        {sums.map(({ currency, count, amount_cents }) => (
          <List.Item key={currency}>
            {count === 1 ? '1 payout' : `${count.toLocaleString()} payouts`}, {formatMoney(amount_cents, currency)}
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
