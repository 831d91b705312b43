import { Code, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { LogPaging } from '../components/log-paging.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useDayRange, useParameters } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { RangeFilters } from '../lists/range-filters.tsx';
import { t } from '../texts/audit-log.ts';

type Entry = Outputs['auditLog']['browse']['data'][number];

/** Tool names that the filter offers. They are the service's own names and are not translated. */
const TOOLS = [
  'account',
  'affiliates',
  'api_keys',
  'applications',
  'assets',
  'campaigns',
  'commissions',
  'connectors',
  'customers',
  'invitations',
  'links',
  'mail_templates',
  'members',
  'payout_exports',
  'payout_runs',
  'payouts',
  'profile',
  'promo_codes',
  'psp_connection',
  'referrals',
  'sign_in',
  'webhook_deliveries',
  'webhook_endpoints',
];

const COLUMNS: Column<Entry>[] = [
  { header: t.time, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    header: t.caller,
    cell: ({ caller_name, caller_kind, caller_id }) => (
      <>
        <Text size="sm" fw={500}>
          {caller_name ?? caller_id}
        </Text>
        <Text size="sm" c="dimmed">
          {t[`by_${caller_kind as 'session' | 'api_key' | 'connector' | 'system'}`]}
        </Text>
      </>
    ),
  },
  {
    header: t.action,
    cell: ({ tool, action, preview }) => (
      <>
        <Code>{`${tool}.${action}`}</Code>
        {preview && (
          <Text size="sm" c="dimmed">
            {t.preview}
          </Text>
        )}
      </>
    ),
  },
  { header: t.outcome, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    header: t.details,
    cell: ({ arguments: details, request_id }) => (
      <details>
        <summary>{t.show}</summary>
        <Code block tabIndex={0}>
          {JSON.stringify(details, null, 2)}
        </Code>
        <Text size="xs" c="dimmed">
          {t.request} <Code>{request_id}</Code>
        </Text>
      </details>
    ),
  },
];

function Outcome({ outcome }: { outcome: string | null }) {
  if (outcome === null) return <Text size="sm">{t.cutOff}</Text>;
  if (outcome === 'succeeded') return <StateBadge state="succeeded" />;
  return outcome === 'replayed' ? <Text size="sm">{t.replayed}</Text> : <Code>{outcome}</Code>;
}

export function AuditLogPage() {
  const [params, change] = useParameters();
  const members = useQuery(trpc.members.list.queryOptions({ limit: 100 }));
  const range = useDayRange();
  const given = (name: string) => params.get(name) || undefined;
  const entries = useQuery(
    trpc.auditLog.browse.queryOptions({ before: given('before'), caller_id: given('person'), tool: given('tool'), ...range }),
  );
  const choose = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value, before: '' });
  return (
    <Page title={t.auditLog} description={t.description}>
      <Group align="flex-end">
        <NativeSelect
          label={t.person}
          value={params.get('person') ?? ''}
          data={[
            { value: '', label: t.everyone },
            ...(members.data?.data ?? []).map(({ user_id, name, email }) => ({ value: user_id, label: `${name} (${email})` })),
          ]}
          onChange={choose('person')}
        />
        <NativeSelect
          label={t.area}
          value={params.get('tool') ?? ''}
          data={[{ value: '', label: t.all }, ...TOOLS]}
          onChange={choose('tool')}
        />
        <RangeFilters />
      </Group>
      <Loaded query={entries}>
        {({ data, next_before }) => (
          <>
            {data.length === 0 ? (
              <EmptyState title={t.nothing}>{t.nothingHint}</EmptyState>
            ) : (
              <RecordTable caption={t.auditLog} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
            )}
            <LogPaging
              latest={{ label: t.latest, go: params.has('before') ? () => change({ before: '' }) : null }}
              older={{ label: t.older, go: next_before === null ? null : () => change({ before: next_before }) }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
