import { List, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { RecordLink } from '../components/cells.tsx';
import { Failure } from '../components/failure.tsx';
import { FileButton } from '../components/file-button.tsx';
import { Filled } from '../components/filled.tsx';
import { t as components } from '../texts/components.ts';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { PayoutExport } from './formats.ts';

type Upload = ReturnType<typeof useReportUpload>;

/** Uploads what the bank says about the payments of an export. Belongs to the page, because an export that the bank has rejected leaves the list. */
export function useReportUpload() {
  return useMutation({
    mutationFn: async ({ id, file }: { id: string; file: File }) =>
      client.payoutExports.report.mutate({ payout_export_id: id, bank_report: await file.text() }),
  });
}

export function ReportExport({ record: { id }, upload }: { record: PayoutExport; upload: Upload }) {
  return (
    <FileButton
      label={t.uploadReport}
      accept=".xml,application/xml,text/xml"
      isBusy={upload.isPending && upload.variables.id === id}
      onChoose={(file) => upload.mutate({ id, file })}
    />
  );
}

/** The changes that a report of the bank has made. */
export function ReportResult({ upload }: { upload: Upload }) {
  if (!upload.isSuccess && !upload.isError) return null;
  return (
    <Modal opened onClose={upload.reset} title={t.reportOfBank} closeButtonProps={{ 'aria-label': components.close }}>
      {upload.isError ? <Failure error={upload.error} /> : <Result report={upload.data} />}
    </Modal>
  );
}

function Result({ report }: { report: Awaited<ReturnType<typeof client.payoutExports.report.mutate>> }) {
  const { booked_count, rejected_count, returned_count, unchanged_count, problems } = report;
  const aboutPayouts = { amount_mismatch: t.bankBookedOtherAmount, arrived_after_all: t.bankPaidAfterAll };
  return (
    <Stack role="status">
      <List>
        <List.Item>{t.reportPaid({ payouts: counts.payouts(booked_count) })}</List.Item>
        <List.Item>{t.reportRejected({ payouts: counts.payouts(rejected_count) })}</List.Item>
        <List.Item>{t.reportReturned({ payouts: counts.payouts(returned_count) })}</List.Item>
        <List.Item>{t.reportUnchanged({ payouts: counts.payouts(unchanged_count) })}</List.Item>
      </List>
      {problems.map(({ payout_id, code }) => (
        <Text key={`${payout_id} ${code}`} c="var(--mantine-color-error)">
          {code === 'sum_mismatch' ? (
            t.bankBookedOtherSum
          ) : (
            <Filled
              text={aboutPayouts[code]}
              values={{ payout: <RecordLink to={`/payouts/${payout_id}`}>{t.payout}</RecordLink> }}
            />
          )}
        </Text>
      ))}
    </Stack>
  );
}
