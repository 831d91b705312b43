import { Radio, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/payouts.ts';
import { FORMATS, type PayoutExport } from './formats.ts';

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
