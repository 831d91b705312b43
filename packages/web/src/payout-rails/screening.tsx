import { Alert, Checkbox, Code, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/screening.ts';

type List = Outputs['payoutScreenings']['settings']['lists'][number];

const COLUMNS: Column<List>[] = [
  { header: t.list, cell: ({ list }) => list.toUpperCase() },
  { header: t.listDate, cell: ({ list_date }) => list_date },
  { header: t.names, numeric: true, cell: ({ names_count }) => names_count.toLocaleString(LOCALE) },
  { header: t.loaded, cell: ({ loaded_at, fresh }) => (fresh ? <Moment at={loaded_at} /> : t.tooOld) },
];

/** The switch for comparing affiliates with lists before they are paid, and the lists. */
export function ScreeningSetting() {
  const settings = useQuery(trpc.payoutScreenings.settings.queryOptions({}));
  const save = useMutation(trpc.payoutScreenings.configure.mutationOptions({ onSuccess: () => notify(t.saved) }));
  return (
    <Section title={t.screening}>
      <Loaded query={settings}>
        {({ kind, lists }) => (
          <Stack>
            <Checkbox
              label={t.compare}
              description={t.compareHint}
              checked={(save.isPending ? save.variables.kind : kind) !== null}
              disabled={save.isPending || (kind === null && lists.length === 0)}
              onChange={({ currentTarget }) => save.mutate({ kind: currentTarget.checked ? 'lists' : null })}
            />
            {save.isError && <Failure error={save.error} />}
            {lists.length === 0 ? (
              <Text component="div">
                <Filled text={t.noLists} values={{ command: <Code>affiliate screening load</Code> }} />
              </Text>
            ) : (
              <RecordTable caption={t.lists} columns={COLUMNS} rows={lists} keyOf={({ list }) => list} />
            )}
            {lists.some(({ fresh }) => !fresh) && <Alert color={kind === null ? 'yellow' : 'red'}>{t.tooOldHint}</Alert>}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
