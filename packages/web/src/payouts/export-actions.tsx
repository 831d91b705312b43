import { Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { FORMATS, type PayoutExport } from './formats.ts';
import { ReferenceInput, referenceOf } from './payout-dialogs.tsx';

/** Describes an export by its number of payouts, for screen readers. */
export function subjectOf({ payouts_count }: PayoutExport): string {
  return counts.payouts(payouts_count);
}

/** A button that marks an export as paid, after the merchant has sent the money. */
export function PayExport({ record }: { record: PayoutExport }) {
  return (
    <DialogButton size="compact-sm" label={t.markAsPaidOf({ record: subjectOf(record) })} action={t.markAsPaid}>
      {(close) => <PayDialog record={record} onClose={close} />}
    </DialogButton>
  );
}

/** Number of rows of an export that the dialog lists. */
const LISTED = 100;

function PayDialog({ record, onClose }: { record: PayoutExport; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '', already_sent: false, refused: [] as string[], reason: '' } });
  const rows = useQuery(
    trpc.payoutAttempts.list.queryOptions({
      batch_id: record.id,
      state: ['prepared', 'approved'],
      sort: 'created_at',
      limit: LISTED,
      expand: ['affiliate'],
    }),
  );
  const pay = useMutation(trpc.payoutExports.pay.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  const { refused } = form.values;
  return (
    <FormDialog
      title={t.markAsPaidOf({ record: subjectOf(record) })}
      submit={t.markAsPaid}
      size="md"
      progress={pay}
      disabled={refused.length === record.payouts_count}
      onClose={onClose}
      onSubmit={form.onSubmit(({ already_sent, reason, ...values }) =>
        pay.mutate({
          payout_export_id: record.id,
          already_sent,
          refused: refused.map((payout_id) => ({ payout_id, reason: reason.trim() || t.transferRefused })),
          ...referenceOf(values),
        }),
      )}
    >
      <Text>{t.payExportConsequence}</Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
      <Loaded query={rows}>
        {({ data, pagination }) => (
          <Checkbox.Group
            label={t.refusedRows}
            description={
              pagination.next_cursor !== null ? t.firstRows({ count: LISTED.toLocaleString(LOCALE) }) : t.refusedRowsHint
            }
            {...form.getInputProps('refused')}
          >
            <Stack gap="xs" mt="xs" mah={260} style={{ overflowY: 'auto' }}>
              {data.map(({ payout_id, affiliate, amount_cents, currency }) => (
                <Checkbox
                  key={payout_id}
                  value={payout_id}
                  label={`${affiliate ? nameOf(affiliate) : payout_id}, ${formatMoney(amount_cents, currency)}`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </Loaded>
      {refused.length > 0 && (
        <TextInput
          label={t.refusalReason}
          description={refused.length === record.payouts_count ? t.deleteInstead : t.refusalReasonHint}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
      )}
      {(pay.isError || form.getValues().already_sent) && (
        <Checkbox label={t.alreadySent} {...form.getInputProps('already_sent', { type: 'checkbox' })} />
      )}
    </FormDialog>
  );
}

/** A button with which another person than the creator approves an export, so that its file can be read. */
export function ApproveExport({ record: { id, items_hash, totals } }: { record: PayoutExport }) {
  const approve = useMutation(trpc.payoutExports.approve.mutationOptions());
  return (
    <ConfirmedButton
      action={t.approve}
      subject={totals.map(({ currency, amount_cents }) => formatMoney(amount_cents, currency)).join(', ')}
      consequence={t.approveConsequence}
      mutation={approve}
      run={() => approve.mutateAsync({ id, ...(items_hash !== null && { items_hash }) })}
    />
  );
}

export function DeleteExport({ record }: { record: PayoutExport }) {
  const release = useMutation(trpc.payoutExports.release.mutationOptions());
  return (
    <ConfirmedButton
      action={t.delete}
      subject={t.exportOf({ record: subjectOf(record) })}
      dangerous
      consequence={t.itsPayoutsAreReleasedAnd}
      mutation={release}
      run={() => release.mutateAsync({ id: record.id })}
    />
  );
}

/** Downloads an export, in the format in which it was created or in another one. */
export function DownloadExport({ record, subject }: { record: PayoutExport; subject: string }) {
  return (
    <DialogButton size="compact-sm" label={t.downloadOf({ subject })} action={t.download}>
      {(close) => <DownloadDialog record={record} subject={subject} onClose={close} />}
    </DialogButton>
  );
}

interface DownloadDialogProps {
  record: PayoutExport;
  subject: string;
  onClose: () => void;
}

function DownloadDialog({ record: { id, export_format }, subject, onClose }: DownloadDialogProps) {
  const queryClient = useQueryClient();
  const [format, setFormat] = useState<string>(export_format);
  const download = useMutation({
    mutationFn: async () => {
      const chosen = FORMATS.find(({ value }) => value === format)!.value;
      // If the chosen format is not the export's own, the file is generated for this request. That can fail, e.g. for PayPal if there are several
      // currencies.
      const input = chosen === export_format ? { id } : { id, export_format: chosen };
      return queryClient.fetchQuery(trpc.payoutExports.download.queryOptions(input, { gcTime: 0 }));
    },
    onSuccess: ({ download_url }) => {
      location.assign(new URL(download_url).pathname);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.downloadOf({ subject })}
      submit={t.download}
      progress={download}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        download.mutate();
      }}
    >
      <Radio.Group label={t.format} value={format} onChange={setFormat}>
        <Stack gap="xs" mt="xs">
          {FORMATS.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
