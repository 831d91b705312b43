import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc, type Outputs } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { t } from '../texts/applications.ts';

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

type Application = NonNullable<Outputs['applications']['get']>;

/** Questions with their answers. An address in an answer is shown as plain text, because it comes from a stranger. */
export function Answers({ answers }: Pick<Application, 'answers'>) {
  return answers.map(({ question, answer }) => (
    <Text key={question} size="sm" component="div">
      <Text span size="sm" c="dimmed">
        {question}
      </Text>{' '}
      {answer}
    </Text>
  ));
}
