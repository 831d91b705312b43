import { Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Filled } from '../components/filled.tsx';
import { Loaded } from '../components/loaded.tsx';
import { LogPaging } from '../components/log-paging.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useDayRange, useParameters } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { RangeFilters } from '../lists/range-filters.tsx';
import { pathOf } from '../records/paths.ts';
import { t } from '../texts/audit-log.ts';
import { actOf, nameIn } from './acts.ts';

type Entry = Outputs['auditLog']['browse']['data'][number];

/** Areas of the program by which the log can be filtered: the first parts of the names of operations. */
const AREAS = [
  ['account', t.program],
  ['affiliates', t.affiliates],
  ['api_keys', t.apiKeys],
  ['applications', t.applications],
  ['assets', t.areaAssets],
  ['campaigns', t.campaigns],
  ['commissions', t.commissions],
  ['connectors', t.areaConnectors],
  ['customers', t.customers],
  ['email_texts', t.mails],
  ['invitations', t.invitations],
  ['links', t.links],
  ['members', t.members],
  ['payout_exports', t.payoutExports],
  ['payout_runs', t.payoutRuns],
  ['payouts', t.payouts],
  ['portal_settings', t.areaPortal],
  ['profile', t.profile],
  ['promo_codes', t.areaPromoCodes],
  ['psp_connection', 'Stripe'],
  ['referrals', t.referrals],
  ['reward_rules', t.areaRewardRules],
  ['sales', t.sales],
  ['sign_in', t.areaSignIn],
  ['webhook_deliveries', t.areaDeliveries],
  ['webhook_endpoints', t.areaEndpoints],
] as const;

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
    cell: (entry) => (
      <>
        {actOf(entry) ?? <Code>{`${entry.tool}.${entry.action}`}</Code>}
        <Subjects entry={entry} />
        {entry.preview && (
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
    cell: ({ tool, action, arguments: details, request_id }) => (
      <details>
        <summary>{t.show}</summary>
        <Code block tabIndex={0}>
          {`${tool}.${action} ${JSON.stringify(details, null, 2)}`}
        </Code>
        <Text size="xs" c="dimmed">
          {t.request} <Code>{request_id}</Code>
        </Text>
      </details>
    ),
  },
];

/** Shows the records that an entry is about, each with a link to its page. */
function Subjects({ entry }: { entry: Entry }) {
  const name = nameIn(entry);
  if (entry.subjects.length === 0) return name === null ? null : <CellNote>{name}</CellNote>;
  return (
    <Stack gap={8}>
      {entry.subjects.map((subject) => {
        const path = pathOf(subject.id);
        const label = labelOfRecord(subject);
        return <CellNote key={subject.id}>{path === null ? label : <RecordLink to={path}>{label}</RecordLink>}</CellNote>;
      })}
    </Stack>
  );
}

/** Names the record by which the log is filtered, with a link to its page. */
function Subject({ id, entries }: { id: string; entries: Entry[] }) {
  const subject = entries.flatMap(({ subjects }) => subjects).find((each) => each.id === id);
  const label = subject ? labelOfRecord(subject) : t.thisRecord;
  const path = pathOf(id);
  return path === null ? (
    label
  ) : (
    <RecordLink to={path} inText>
      {label}
    </RecordLink>
  );
}

/** Returns the name of a record, with its amount if it has one. */
function labelOfRecord({ name, amount_cents, currency }: Entry['subjects'][number]): string {
  const amount = amount_cents === null || currency === null ? null : formatMoney(amount_cents, currency);
  if (name === null) return amount ?? t.openRecord;
  return amount === null ? name : t.nameAndAmount({ name, amount });
}

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
  const record = given('record');
  const entries = useQuery(
    trpc.auditLog.browse.queryOptions({
      before: given('before'),
      caller_id: given('person'),
      tool: given('tool'),
      subject_id: record,
      ...range,
    }),
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
          data={[{ value: '', label: t.all }, ...AREAS.map(([value, label]) => ({ value, label }))]}
          onChange={choose('tool')}
        />
        <RangeFilters />
      </Group>
      {record !== undefined && (
        <Group>
          <Text size="sm">
            <Filled text={t.onlyOfRecord} values={{ record: <Subject id={record} entries={entries.data?.data ?? []} /> }} />
          </Text>
          <Button variant="default" size="xs" onClick={() => change({ record: '', before: '' })}>
            {t.showAll}
          </Button>
        </Group>
      )}
      <Loaded query={entries}>
        {({ data, next_before }) => (
          <>
            {data.length === 0 ? (
              <EmptyState picture="log" title={t.nothing}>
                {t.nothingHint}
              </EmptyState>
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
