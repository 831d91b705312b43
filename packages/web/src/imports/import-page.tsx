import { Alert, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { client, type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { reasons, t } from '../texts/imports.ts';
import { LOCALE } from '../texts/language.ts';
import { nameOf } from './imports-page.tsx';

type Import = Outputs['imports']['get'];
type Row = Outputs['imports']['rows']['data'][number];
type Kind = Row['kind'];

const EVERY_MS = 1_000;
const IS_WORKING: ReadonlySet<Import['state']> = new Set(['reading', 'running', 'undoing']);

const KINDS: Readonly<Record<Kind, string>> = {
  campaign: t.campaigns,
  affiliate: t.affiliates,
  link: t.links,
  customer: t.customers,
  code: t.codes,
  commission: t.commissions,
  payout: t.payouts,
};

/** Numbers of records of a kind by outcome. */
interface Line {
  kind: Kind;
  new: number;
  done: number;
  existing: number;
  skipped: number;
  problem: number;
}

const COLUMNS: Column<Line>[] = [
  { header: t.records, cell: ({ kind }) => KINDS[kind] },
  { header: t.newRecords, cell: (line) => line.new, numeric: true },
  { header: t.made, cell: ({ done }) => done, numeric: true },
  { header: t.existing, cell: ({ existing }) => existing, numeric: true },
  { header: t.skipped, cell: ({ skipped }) => skipped, numeric: true },
  { header: t.problems, cell: ({ problem }) => problem, numeric: true },
];

function linesOf({ counts }: Import): Line[] {
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const own = counts.filter((each) => each.kind === kind);
    const sum = (outcome: Row['outcome'], part: 'count' | 'done' = 'count') =>
      own.filter((each) => each.outcome === outcome).reduce((total, each) => total + each[part], 0);
    const line = { existing: sum('existing'), skipped: sum('skipped'), problem: sum('problem') };
    return own.length === 0 ? [] : [{ kind, new: sum('new'), done: sum('new', 'done'), ...line }];
  });
}

type Total = Import['totals'][number];

/** Amounts of the former tool and of the account, by currency and state. */
const TOTALS: Column<Total>[] = [
  { header: t.records, cell: ({ kind }) => KINDS[kind] },
  { header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: t.count, cell: ({ count }) => count, numeric: true },
  { header: t.there, cell: ({ source_cents, currency }) => <Sum cents={source_cents} currency={currency} />, numeric: true },
  { header: t.here, cell: ({ here_cents, currency }) => <Sum cents={here_cents} currency={currency} />, numeric: true },
  {
    header: t.difference,
    cell: ({ source_cents, here_cents, currency }) => <Sum cents={here_cents - source_cents} currency={currency} />,
    numeric: true,
  },
];

function Sum({ cents, currency }: { cents: number; currency: string | null }) {
  return currency === null ? t.noCurrency : <Money cents={cents} currency={currency} />;
}

const PROBLEMS: Column<Row>[] = [
  { header: t.record, cell: ({ kind, source_id }) => `${KINDS[kind]}: ${source_id}` },
  { header: t.reason, cell: ({ reason, detail }) => [reason && reasons[reason], detail].filter(Boolean).join(': ') },
];

export function ImportPage() {
  const { id = '' } = useParams();
  const found = useQuery(
    trpc.imports.get.queryOptions(
      { id },
      { refetchInterval: ({ state: { data } }) => (data && IS_WORKING.has(data.state) ? EVERY_MS : false) },
    ),
  );
  return (
    <LoadedPage query={found}>
      {(its) => (
        <Page title={t.importOf({ source: nameOf(its.source) })} actions={<Acts its={its} />}>
          <Group>
            <StateBadge state={its.state} />
            {its.progress && <Text c="dimmed">{progressOf(its.progress)}</Text>}
          </Group>
          {its.failure && (
            <Alert color="red" title={t.reason}>
              {failureOf(its.failure, its.failure_detail)}
            </Alert>
          )}
          {its.resume_at && (
            <Text>
              {t.waiting} <Moment at={its.resume_at} />
            </Text>
          )}
          <RecordTable caption={t.records} columns={COLUMNS} rows={linesOf(its)} keyOf={({ kind }) => kind} />
          {its.totals.length > 0 && (
            <Section title={t.amounts}>
              <Text c="dimmed">{t.amountsHint}</Text>
              <RecordTable
                caption={t.amounts}
                columns={TOTALS}
                rows={its.totals}
                keyOf={({ kind, currency, state }) => `${kind} ${currency} ${state}`}
              />
            </Section>
          )}
          {!IS_WORKING.has(its.state) && <Problems id={id} />}
        </Page>
      )}
    </LoadedPage>
  );
}

const formatCount = (count: number) => count.toLocaleString(LOCALE);

/** Says how far the work has come, how fast it is, and how long it goes on. */
function progressOf({ phase, done, total, per_minute, seconds_left }: NonNullable<Import['progress']>): string {
  const figures = { done: formatCount(done), rate: formatCount(per_minute) };
  const minutes = seconds_left === null ? null : Math.round(seconds_left / 60);
  return [
    t[`phase_${phase}`],
    total === null ? t.progressOfUnknown(figures) : t.progress({ ...figures, total: formatCount(Math.max(done, total)) }),
    ...(minutes === null ? [] : [minutes < 1 ? t.lessThanAMinute : t.minutesLeft({ minutes })]),
  ].join(' · ');
}

function failureOf(failure: NonNullable<Import['failure']>, detail: string | null): string {
  const text = t[failure];
  return typeof text === 'string' ? text : text({ value: detail ?? '–' });
}

/** The records that cannot be imported, with the reasons. */
function Problems({ id }: { id: string }) {
  const page = usePageNumber();
  const rows = useQuery(trpc.imports.rows.queryOptions({ id, page, outcome: 'problem' }));
  return (
    <Section title={t.problems}>
      <Loaded query={rows}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t.noProblems}</Text>
          ) : (
            <Stack align="flex-start">
              <DownloadCsv
                name={t.problems}
                load={(after) => client.imports.rowsCsv.query({ id, outcome: 'problem', ...(after && { after }) })}
              />
              <RecordTable
                caption={t.problems}
                columns={PROBLEMS}
                rows={data}
                keyOf={({ kind, source_id }) => `${kind} ${source_id}`}
              />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function Acts({ its }: { its: Import }) {
  const { id, state, source } = its;
  const run = useMutation(trpc.imports.run.mutationOptions());
  const stop = useMutation(trpc.imports.stop.mutationOptions());
  const undo = useMutation(trpc.imports.undo.mutationOptions());
  const subject = nameOf(source);
  const hasMade = its.counts.some(({ outcome, done }) => outcome === 'new' && done > 0);
  return (
    <Group>
      {(state === 'ready' || state === 'draft' || (state === 'failed' && source !== 'csv')) && (
        <ConfirmedButton
          action={t.import}
          subject={subject}
          consequence={t.importConsequence}
          variant="filled"
          size="sm"
          mutation={run}
          run={() => run.mutateAsync({ id })}
        />
      )}
      {(state === 'reading' || state === 'running') && (
        <ConfirmedButton
          action={t.stop}
          subject={subject}
          consequence={t.stopConsequence}
          size="sm"
          mutation={stop}
          run={() => stop.mutateAsync({ id })}
        />
      )}
      {(state === 'draft' || (hasMade && ['ready', 'done', 'failed'].includes(state))) && (
        <ConfirmedButton
          action={t.undo}
          subject={subject}
          consequence={t.undoConsequence}
          size="sm"
          dangerous
          mutation={undo}
          run={() => undo.mutateAsync({ id })}
        />
      )}
    </Group>
  );
}
