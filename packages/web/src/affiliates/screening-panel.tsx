import { Alert, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/screening.ts';
import type { Affiliate } from './affiliate.ts';

type Screening = Outputs['payoutScreenings']['list']['data'][number];
type Match = Screening['matches'][number];

const COLUMNS: Column<Match>[] = [
  { header: t.name, cell: ({ name }) => name },
  { header: t.list, cell: ({ list }) => list.toUpperCase() },
  { header: t.entry, cell: ({ entry }) => entry },
  { header: t.born, cell: ({ born }) => born ?? '–' },
];

/** How the affiliate's name compares with lists of people and companies that nobody may pay. Not shown unless the account compares affiliates. */
export function ScreeningPanel({ affiliate }: { affiliate: Affiliate }) {
  const settings = useQuery(trpc.payoutScreenings.settings.queryOptions({}));
  const isOn = settings.data !== undefined && settings.data.kind !== null;
  const screenings = useQuery(
    trpc.payoutScreenings.list.queryOptions({ affiliate_id: affiliate.id, limit: 1 }, { enabled: isOn }),
  );
  if (!isOn) return null;
  return (
    <Section title={t.screening}>
      <Loaded query={screenings}>
        {({ data: [latest] }) =>
          latest ? <Latest affiliate={affiliate} screening={latest} /> : <Text size="sm">{t.notYet}</Text>
        }
      </Loaded>
    </Section>
  );
}

function Latest({ affiliate, screening }: { affiliate: Affiliate; screening: Screening }) {
  const may = useMay();
  const [releasing, dialog] = useDisclosure();
  const { names, result, held, lists, matches, screened_at, released_at, release_reason } = screening;
  return (
    <Paper withBorder p="md" radius="md">
      <Stack gap="sm">
        {held && <Alert color="red">{result === 'hit' ? t.held : t.unavailable}</Alert>}
        {result === 'clear' && <Text size="sm">{t.clear}</Text>}
        {matches.length > 0 && (
          <RecordTable caption={t.matches} columns={COLUMNS} rows={matches} keyOf={({ list, entry }) => `${list} ${entry}`} />
        )}
        <Text size="sm" component="div">
          <Filled text={t.compared} values={{ at: <Moment at={screened_at} />, names: names.join(', ') }} />
        </Text>
        <Text size="sm">{lists.map(({ list, list_date }) => `${list.toUpperCase()} ${list_date}`).join(', ')}</Text>
        {released_at !== null && (
          <Text size="sm" component="div">
            <Filled text={t.releasedAt} values={{ at: <Moment at={released_at} />, reason: release_reason }} />
          </Text>
        )}
        {held && result === 'hit' && may('payout_outcomes') && (
          <Group>
            <Button variant="default" onClick={dialog.open}>
              {t.release}
            </Button>
          </Group>
        )}
      </Stack>
      {releasing && <ReleaseDialog affiliate={affiliate} screening={screening} onClose={dialog.close} />}
    </Paper>
  );
}

function ReleaseDialog({ affiliate, screening, onClose }: { affiliate: Affiliate; screening: Screening; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } });
  const release = useMutation(
    trpc.payoutScreenings.release.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        notify(t.released);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`${t.release}: ${nameOf(affiliate)}`}
      submit={t.release}
      size="md"
      dangerous
      progress={release}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => release.mutate({ id: screening.id, reason: reason.trim() }))}
    >
      <Text>{t.releaseConsequence}</Text>
      <Textarea
        label={t.reason}
        description={t.reasonExample}
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
