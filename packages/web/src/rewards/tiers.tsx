import type { Outputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/rewards.ts';

type Tier = Outputs['tiers']['get'];
type Metric = Tier['metric'];
type Window = Tier['window'];

interface TiersProps {
  campaignId: string;
  tiers: readonly Tier[];
  mayChange: boolean;
}

/** The tiers of a campaign, from the lowest, which rules can name. */
export function Tiers({ campaignId, tiers, mayChange }: TiersProps) {
  const columns: Column<Tier>[] = [
    { header: t.tier, cell: ({ name }) => <Text fw={500}>{name}</Text> },
    { header: t.reachedBy, cell: tierInWords },
  ];
  if (mayChange) columns.push({ header: t.actions, cell: (tier) => <EndTier tier={tier} /> });
  return (
    <Section title={t.tiersTitle}>
      <Stack>
        <Text size="sm">{t.tiersHint}</Text>
        {tiers.length > 0 && (
          <RecordTable
            caption={t.tiersTitle}
            columns={columns}
            rows={tiers.toSorted((a, b) => a.from - b.from)}
            keyOf={({ id }) => id}
          />
        )}
        {mayChange && (
          <Group>
            <DialogButton action={t.addTier}>{(close) => <CreateTier campaignId={campaignId} onClose={close} />}</DialogButton>
          </Group>
        )}
      </Stack>
    </Section>
  );
}

/** Names of the metrics of tiers and milestones. */
export const METRICS: Record<Metric, string> = {
  customers: t.customersReached,
  sales: t.sales,
  revenue: t.revenueReached,
};
const WINDOWS: Record<Window, string> = { month: t.inLastMonth, quarter: t.inLastQuarter, ever: t.soFar };

function tierInWords({ metric, window, from, currency }: Tier): string {
  const count = currency === null ? from.toLocaleString(LOCALE) : formatMoney(from, currency);
  return `${METRICS[metric]}: ${count}, ${WINDOWS[window]}`;
}

function EndTier({ tier: { id, name } }: { tier: Tier }) {
  const end = useMutation(trpc.tiers.end.mutationOptions());
  return (
    <ConfirmedButton
      action={t.end}
      subject={name}
      dangerous
      consequence={t.endTierConsequence}
      mutation={end}
      run={() => end.mutateAsync({ id })}
    />
  );
}

interface Values {
  name: string;
  metric: Metric;
  window: Window;
  from: number | string;
  amount: string;
}

function CreateTier({ campaignId, onClose }: { campaignId: string; onClose: () => void }) {
  const { currency } = useMember().account;
  const form = useForm<Values>({ initialValues: { name: '', metric: 'customers', window: 'month', from: 10, amount: '' } });
  const create = useMutation(trpc.tiers.create.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  const { name, metric, window, from: count, amount } = form.values;
  const from = metric === 'revenue' ? parseDecimalAmount(amount, currency) : typeof count === 'number' ? count : null;
  return (
    <FormDialog
      title={t.addTier}
      submit={t.addTier}
      progress={create}
      disabled={name.trim() === '' || from === null || from < 1}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        if (from === null) return;
        create.mutate({
          campaign_id: campaignId,
          name: name.trim(),
          metric,
          window,
          from,
          ...(metric === 'revenue' && { currency }),
        });
      })}
    >
      <TextInput label={t.tierName} required maxLength={200} {...form.getInputProps('name')} />
      <NativeSelect
        label={t.reachedBy}
        data={Object.entries(METRICS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('metric')}
      />
      {metric === 'revenue' ? (
        <TextInput label={t.amountIn({ currency })} inputMode="decimal" {...form.getInputProps('amount')} />
      ) : (
        <NumberInput label={t.numberFrom} min={1} {...form.getInputProps('from')} />
      )}
      <NativeSelect
        label={t.countedOver}
        data={Object.entries(WINDOWS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('window')}
      />
    </FormDialog>
  );
}
