import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Failure } from '../components/failure.tsx';
import { Moment } from '../components/moment.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { t } from '../texts/commissions.ts';
import { Amount, type Commission } from './columns.tsx';
import { contestInWords } from './contested.ts';
import { ReconsiderAction } from './review-actions.tsx';

const COLUMNS: Column<Commission>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  { header: t.commission, numeric: true, cell: (commission) => <Amount commission={commission} /> },
  { header: t.paid, cell: ({ paid_at }) => <Moment at={paid_at} /> },
  { header: t.reason, cell: ({ contested, currency }) => contested && contestInWords(contested, currency) },
];

const ACTIONS: Column<Commission> = {
  header: t.actions,
  cell: (commission) => commission.contested && <ReconsiderAction commission={commission} contested={commission.contested} />,
};

/** Lists the paid rewards that facts contradict. Shows nothing if there are none. */
export function ContestedRewards({ mayReview }: { mayReview: boolean }) {
  const rewards = useQuery(
    trpc.commissions.list.queryOptions({ contested: true, limit: 100, expand: ['affiliate', 'contested'] }),
  );
  if (rewards.isError) return <Failure error={rewards.error} />;
  if (!rewards.data || rewards.data.data.length === 0) return null;
  return (
    <Section title={t.paidRewards}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.paidRewardsHint}
      </Text>
      <RecordTable
        caption={t.paidRewards}
        columns={mayReview ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={rewards.data.data}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}
