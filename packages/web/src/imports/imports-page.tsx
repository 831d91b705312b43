import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { labelOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
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

const NAMES: Readonly<Record<string, string>> = { csv: t.csvFiles, first_promoter: t.first_promoter };

/** Returns the name of a tool. */
export function nameOf(source: string): string {
  return NAMES[source] ?? labelOf(source);
}

export function ImportsPage() {
  const page = usePageNumber();
  const imports = useQuery(trpc.imports.list.queryOptions({ page }));
  const [isBeginning, dialog] = useDisclosure();
  const begin = <Button onClick={dialog.open}>{t.moveIn}</Button>;
  const actions = (
    <Group>
      <ActionLink to="/settings/imports/comparison">{t.compare}</ActionLink>
      {begin}
    </Group>
  );
  return (
    <Page title={t.imports} description={t.description} actions={actions}>
      <Loaded query={imports}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title={t.noImportsYet} action={begin}>
              {t.noImportsHint}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption={t.imports} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {isBeginning && <BeginImport onClose={dialog.close} />}
    </Page>
  );
}
