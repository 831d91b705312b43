import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { Loaded } from '../components/loaded.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Obstacles } from '../payouts/obstacles.tsx';
import { t } from '../texts/affiliates.ts';
import { language } from '../texts/language.ts';
import type { Affiliate } from './affiliate.ts';

type Payout = Outputs['payouts']['list']['data'][number];

const COLUMNS: Column<Payout>[] = [
  { header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: t.amount,
    numeric: true,
    cell: ({ id, amount_cents, currency }) => (
      <RecordLink to={`/payouts/${id}`} strong>
        {formatMoney(amount_cents, currency)}
      </RecordLink>
    ),
  },
  { header: t.whyNotPaid, stays: true, cell: (payout) => <Obstacles payout={payout} /> },
];

/** Shows the payouts that the affiliate has not been paid, each with the reason, and the commissions that are in no payout because they are flagged. */
export function UnpaidPanel({ affiliate: { id, commission_stats, outlook } }: { affiliate: Affiliate }) {
  const payouts = useQuery(
    trpc.payouts.list.queryOptions({
      affiliate_id: id,
      livemode: true,
      state: ['pending', 'due', 'processing'],
      expand: ['under_review'],
    }),
  );
  return (
    <Loaded query={payouts}>
      {({ data }) => {
        // The payout of a currency says itself what is under review.
        const flagged = (commission_stats?.currencies ?? []).filter(
          ({ currency, under_review_cents }) =>
            under_review_cents !== 0 && !data.some((payout) => payout.currency === currency && payout.state !== 'processing'),
        );
        if (data.length === 0 && flagged.length === 0 && !outlook?.length) return <Text c="dimmed">{t.nothingUnpaid}</Text>;
        return (
          <Stack>
            {outlook?.map(({ currency, in_words }) => (
              <Text key={currency}>{in_words[language]}</Text>
            ))}
            {data.length > 0 && <RecordTable caption={t.unpaid} columns={COLUMNS} rows={data} keyOf={(payout) => payout.id} />}
            {flagged.map(({ currency, under_review_cents }) => (
              <Text key={currency}>
                <Filled
                  text={t.heldForReview}
                  values={{
                    amount: (
                      <RecordLink to="/commissions/review" inText>
                        {formatMoney(under_review_cents, currency)}
                      </RecordLink>
                    ),
                  }}
                />
              </Text>
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}
