import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { t } from '../texts/applications.ts';
import { Answers } from './answers.tsx';

/** The answers that an affiliate gave in their application. Shows nothing if the affiliate never applied. */
export function ApplicationPanel({ affiliateId }: { affiliateId: string }) {
  const { data: found } = useQuery(
    trpc.applications.list.queryOptions({ affiliate_id: affiliateId, state: [...AFFILIATE_STATES] }),
  );
  const [data] = found?.data ?? [];
  if (!data) return null;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t.appliedOn} <Moment at={data.applied_at} />
      </Text>
      <Answers answers={data.answers} />
      {data.note !== null && (
        <Text size="sm">
          {t.noteSent} {data.note}
        </Text>
      )}
    </Stack>
  );
}
