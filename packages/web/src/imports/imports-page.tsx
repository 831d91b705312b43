import { type Tool, TOOLS } from '@affiliate/core/browser';
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { ActionLink } from '../components/action-link.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { labelOf } from '../components/labels.ts';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/imports.ts';
import { BeginImport } from './begin-import.tsx';

type Import = Outputs['imports']['list']['data'][number];

const COLUMNS: Column<Import>[] = [
  { header: t.tool, cell: ({ id, source }) => <ActionLink to={`/settings/imports/${id}`}>{nameOf(source)}</ActionLink> },
  { header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: t.records, cell: ({ counts }) => counts.reduce((sum, { count }) => sum + count, 0), numeric: true },
  { header: t.started, cell: ({ created_at }) => <Moment at={created_at} /> },
];

const NAMES: ReadonlyMap<string, Tool> = new Map(Object.entries(TOOLS));

/** Returns the name of a tool. */
export function nameOf(source: string): string {
  return NAMES.get(source)?.name ?? (source === 'csv' ? t.csvFiles : labelOf(source));
}

const EVERY_MS = 2_000;

/** Says whether the former tool still decides, and lets a person begin and end that. */
function ShadowNotice() {
  const shadow = useQuery(
    trpc.shadows.get.queryOptions(undefined, {
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && (data.state === 'ending' || data.history.open > 0) ? EVERY_MS : false,
    }),
  );
  const end = useMutation(trpc.shadows.end.mutationOptions());
  if (shadow.data === undefined || shadow.data.state === 'off') return null;
  const { state, since, history } = shadow.data;
  const isOn = state === 'on';
  return (
    <Alert title={t.shadow} color="yellow">
      <Stack align="flex-start">
        <Text>
          {isOn ? t.shadowOn : t.shadowEnding} {since !== null && <Moment at={since} />}
        </Text>
        {history.open > 0 && <Text>{[t.historyReading, history.problem].filter(Boolean).join(' ')}</Text>}
        <ConfirmedButton
          action={isOn ? t.endShadow : t.skipReading}
          subject={t.shadow}
          consequence={isOn ? t.endShadowConsequence : t.skipReadingConsequence}
          variant={isOn ? 'filled' : 'default'}
          mutation={end}
          run={() => end.mutateAsync({ imports: isOn ? 'read' : 'skip' })}
        />
      </Stack>
    </Alert>
  );
}

/** Months of payments from before that can be compared. */
const HISTORIES = [0, 3, 6, 12, 24];

/** Returns the time some months ago, a day less, so that it is not too long ago when it arrives. */
function monthsAgo(months: number): string {
  const at = new Date();
  at.setUTCMonth(at.getUTCMonth() - months);
  at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString();
}

function BeginShadow() {
  const [months, chooseMonths] = useState(0);
  const shadow = useQuery(trpc.shadows.get.queryOptions());
  const begin = useMutation(trpc.shadows.begin.mutationOptions());
  if (shadow.data?.state !== 'off') return null;
  return (
    <ConfirmedButton
      action={t.beginShadow}
      subject={t.imports}
      consequence={t.beginShadowConsequence}
      details={
        <NativeSelect
          label={t.history}
          description={t.historyHint}
          value={String(months)}
          onChange={({ currentTarget }) => chooseMonths(Number(currentTarget.value))}
          data={HISTORIES.map((value) => ({
            value: String(value),
            label: value === 0 ? t.none : t.historyMonths({ months: value }),
          }))}
        />
      }
      size="sm"
      mutation={begin}
      run={() => begin.mutateAsync(months === 0 ? {} : { since: monthsAgo(months) })}
    />
  );
}

export function ImportsPage() {
  const page = usePageNumber();
  const imports = useQuery(trpc.imports.list.queryOptions({ page }));
  const act = useAct({ begin: 'imports' });
  const begin = <Button onClick={() => act.ask('begin')}>{t.moveIn}</Button>;
  const actions = (
    <Group>
      <ActionLink to="/settings/imports/comparison">{t.compare}</ActionLink>
      <BeginShadow />
      {begin}
    </Group>
  );
  return (
    <Page title={t.imports} description={t.description} actions={actions}>
      <ShadowNotice />
      <PagedTable
        query={imports}
        caption={t.imports}
        columns={COLUMNS}
        empty={
          <EmptyState picture="imports" title={t.noImportsYet} action={begin}>
            {t.noImportsHint}
          </EmptyState>
        }
      />
      {act.current === 'begin' && <BeginImport onClose={act.end} />}
    </Page>
  );
}
