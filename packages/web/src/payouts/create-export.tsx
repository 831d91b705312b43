import type { ExportFormat } from '@affiliate/core/browser';
import { Radio, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { FORMATS } from './formats.ts';
import { type Payout, modeOf } from './payout.ts';
import { usePayoutSummary } from './payout-summary.tsx';
import { t } from '../texts/payouts.ts';

/** Creates a payout export and opens the list of exports. */
export function CreateExport({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { export_format: 'csv' as ExportFormat, notes: '' } });
  const create = useMutation(
    trpc.payoutExports.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => navigate('/payouts/exports'),
    }),
  );
  const { summary, isEmpty } = usePayoutSummary(payouts);
  return (
    <FormDialog
      title={t.exportPayouts}
      submit={t.export}
      progress={create}
      disabled={isEmpty}
      onClose={onClose}
      onSubmit={form.onSubmit(({ export_format, notes }) =>
        create.mutate({
          export_format,
          ...modeOf(payouts),
          ...(payouts.length > 0 ? { payout_ids: payouts.map(({ id }) => id) } : {}),
          ...(notes.trim() === '' ? {} : { notes }),
        }),
      )}
    >
      {summary}
      <Text size="sm">{t.theExportHoldsThesePayouts}</Text>
      <Radio.Group label={t.format} {...form.getInputProps('export_format')}>
        <Stack gap="xs" mt="xs">
          {FORMATS.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea label={t.notes} description={t.notesHint} maxLength={2_000} {...form.getInputProps('notes')} />
    </FormDialog>
  );
}
