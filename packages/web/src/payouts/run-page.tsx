import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Sections } from '../lists/sections.tsx';
import { useMay } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { ReferenceInput, referenceOf } from './payout-dialogs.tsx';
import { RunIssues } from './run-issues.tsx';
import { RunItems } from './run-items.tsx';
import { pollWhileWorking, type Run, shownState, unpaidCount } from './run.ts';

type Total = Run['totals'][number];

const TOTALS: Column<Total>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  { header: t.payouts, numeric: true, cell: ({ items_count }) => items_count.toLocaleString(LOCALE) },
  amount(t.amount, 'amount_cents'),
  amount(t.paid, 'paid_cents'),
  amount(t.returned, 'returned_cents'),
  amount(t.planned, 'planned_cents'),
  amount(t.failed, 'failed_cents'),
  amount(t.excluded, 'excluded_cents'),
  amount(t.canceled, 'canceled_cents'),
];

function amount(header: string, field: Exclude<keyof Total, 'currency' | 'items_count'>): Column<Total> {
  return { header, numeric: true, cell: ({ currency, [field]: cents }) => formatMoney(cents, currency) };
}

export function RunPage() {
  const { id = '' } = useParams();
  const run = useQuery(
    trpc.payoutRuns.get.queryOptions({ id }, { refetchInterval: ({ state }) => pollWhileWorking(state.data) }),
  );
  return <LoadedPage query={run}>{(record) => <RunDetail run={record} />}</LoadedPage>;
}

function RunDetail({ run }: { run: Run }) {
  const may = useMay();
  const mayPay = may('payouts');
  return (
    <Page
      title={t.payoutRun}
      description={<Filled text={t.createdAt} values={{ at: <Moment at={run.created_at} /> }} />}
      actions={
        mayPay && (
          <Group>
            {run.state === 'planned' && run.items_total > run.items_done && <ExecuteRun run={run} />}
            {run.state !== 'completed' && run.state !== 'canceled' && <CancelRun run={run} />}
          </Group>
        )
      }
    >
      <Sections of="payouts" />
      <Paper withBorder p="md" radius="md">
        <Stack gap="sm">
          <RunProgress run={run} />
          {run.totals.length === 0 ? (
            <Text c="dimmed">{t.noItems}</Text>
          ) : (
            <RecordTable caption={t.totals} columns={TOTALS} rows={run.totals} keyOf={({ currency }) => currency} />
          )}
        </Stack>
      </Paper>
      {run.issues.length > 0 && <RunIssues run={run} mayPay={mayPay} />}
      {run.items_total > 0 && (
        <section aria-labelledby="items">
          <Title order={2} size="h4" id="items" mb="sm">
            {t.payoutsInThisRun}
          </Title>
          <RunItems run={run} mayPay={mayPay} />
        </section>
      )}
    </Page>
  );
}

function RunProgress({ run }: { run: Run }) {
  const { livemode, items_done, items_total, payment_reference, completed_at, canceled_at } = run;
  const done = t.ofDone({ itemsDone: items_done.toLocaleString(LOCALE), itemsTotal: items_total.toLocaleString(LOCALE) });
  return (
    <>
      <Group gap="sm" role="status">
        <StateBadge state={shownState(run)} />
        <ModeBadge livemode={livemode} />
        <Text>{done}</Text>
        <Text size="sm" c="dimmed" component="div">
          {(completed_at ?? canceled_at) !== null && <Moment at={completed_at ?? canceled_at} />} {payment_reference}
        </Text>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section value={items_total === 0 ? 100 : (100 * items_done) / items_total} aria-label={t.runProgress} />
      </Progress.Root>
    </>
  );
}

/** A button that executes the run in the background. The page shows the progress. */
function ExecuteRun({ run }: { run: Run }) {
  return (
    <DialogButton variant="filled" action={t.executeRun}>
      {(close) => <ExecuteDialog run={run} onClose={close} />}
    </DialogButton>
  );
}

function ExecuteDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const execute = useMutation(trpc.payoutRuns.execute.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.executeRun}
      submit={t.markAsPaid}
      size="md"
      progress={execute}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => execute.mutate({ id: run.id, async: true, ...referenceOf(values) }))}
    >
      <Text>{t.everyPayoutIsCheckedAgain}</Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

function CancelRun({ run }: { run: Run }) {
  const remediate = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <ConfirmedButton
      action={t.cancelRun}
      subject={counts.unpaidPayouts(unpaidCount(run))}
      size="sm"
      dangerous
      consequence={t.unpaidPayoutsAreReleasedAnd}
      mutation={remediate}
      run={() => remediate.mutateAsync({ id: run.id, remediation_action: 'cancel' })}
    />
  );
}
