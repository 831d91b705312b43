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
import { useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/screening.ts';
import { useShownAccount } from './sending-rules.tsx';

type List = Outputs['payoutScreenings']['lists']['data'][number];

const COLUMNS: Column<List>[] = [
  { header: t.list, cell: ({ list }) => list.toUpperCase() },
  { header: t.listDate, cell: ({ list_date }) => list_date },
  { header: t.names, numeric: true, cell: ({ names_count }) => names_count.toLocaleString(LOCALE) },
  { header: t.loaded, cell: ({ loaded_at, fresh }) => (fresh ? <Moment at={loaded_at} /> : t.tooOld) },
];

/** Whether affiliates are compared with lists before they are paid, and the lists. */
export function ScreeningSetting() {
  const { account } = useMember();
  const lists = useQuery(trpc.payoutScreenings.lists.queryOptions({}));
  const showUpdated = useShownAccount();
  const save = useMutation(
    trpc.account.update.mutationOptions({
      onSuccess: (updated) => {
        showUpdated(updated);
        notify(t.saved);
      },
    }),
  );
  const isOn = account.payout_screening !== null;
  return (
    <Section title={t.screening}>
      <Loaded query={lists}>
        {({ data }) => (
          <Stack>
            <Checkbox
              label={t.compare}
              description={t.compareHint}
              checked={isOn}
              disabled={save.isPending || (!isOn && data.length === 0)}
              onChange={({ currentTarget }) =>
                save.mutate({ account_id: account.id, payout_screening: currentTarget.checked ? 'lists' : null })
              }
            />
            {save.isError && <Failure error={save.error} />}
            {data.length === 0 ? (
              <Text component="div">
                <Filled text={t.noLists} values={{ command: <Code>affiliate screening load</Code> }} />
              </Text>
            ) : (
              <RecordTable caption={t.lists} columns={COLUMNS} rows={data} keyOf={({ list }) => list} />
            )}
            {data.some(({ fresh }) => !fresh) && <Alert color={isOn ? 'red' : 'yellow'}>{t.tooOldHint}</Alert>}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
