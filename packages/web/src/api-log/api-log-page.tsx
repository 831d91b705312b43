import { Code, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { LogPaging } from '../components/log-paging.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { useParameters } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { t } from '../texts/api-log.ts';
import { LOCALE } from '../texts/language.ts';

type ApiRequest = Outputs['apiRequests']['list']['data'][number];

const OUTCOMES: Record<string, boolean | undefined> = { failed: true, succeeded: false };

export function ApiLogPage() {
  const [params, change] = useParameters();
  const given = (name: string) => params.get(name) || undefined;
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ limit: 100 }));
  const requests = useQuery(
    trpc.apiRequests.list.queryOptions({
      key_id: given('key_id'),
      failed: OUTCOMES[given('outcome') ?? ''],
      starting_after: given('after'),
    }),
  );
  const names = new Map(keys.data?.data.map(({ id, name }) => [id, name]));
  const columns: Column<ApiRequest>[] = [
    { header: t.time, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      header: t.request,
      cell: ({ method, path }) => (
        <Code>
          {method} {path}
        </Code>
      ),
    },
    {
      header: t.status,
      cell: ({ status, error_code, count }) => (
        <Text size="sm" c={status >= 400 ? 'red' : undefined}>
          {status} {error_code} {count > 1 && `× ${count.toLocaleString(LOCALE)}`}
        </Text>
      ),
    },
    { header: t.duration, cell: ({ duration_ms }) => t.milliseconds({ value: duration_ms.toLocaleString(LOCALE) }) },
    { header: t.apiKey, cell: ({ key_id }) => names.get(key_id) ?? key_id },
    { header: t.requestId, cell: ({ request_id }) => <Code>{request_id}</Code> },
  ];
  const choose = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value, after: '' });
  return (
    <Page title={t.apiLog} description={t.description}>
      <Group align="flex-end">
        <NativeSelect
          label={t.apiKey}
          value={params.get('key_id') ?? ''}
          data={[{ value: '', label: t.allKeys }, ...[...names].map(([value, label]) => ({ value, label }))]}
          onChange={choose('key_id')}
        />
        <NativeSelect
          label={t.outcome}
          value={params.get('outcome') ?? ''}
          data={[
            { value: '', label: t.all },
            { value: 'succeeded', label: t.succeeded },
            { value: 'failed', label: t.failed },
          ]}
          onChange={choose('outcome')}
        />
      </Group>
      <Loaded query={requests}>
        {({ data, pagination: { next_cursor } }) => (
          <>
            {data.length === 0 ? (
              <EmptyState picture="log" title={t.nothing}>
                {t.nothingHint}
              </EmptyState>
            ) : (
              <RecordTable caption={t.apiLog} columns={columns} rows={data} keyOf={({ id }) => id} />
            )}
            <LogPaging
              latest={{ label: t.latest, go: params.has('after') ? () => change({ after: '' }) : null }}
              older={{ label: t.older, go: next_cursor === null ? null : () => change({ after: next_cursor }) }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
