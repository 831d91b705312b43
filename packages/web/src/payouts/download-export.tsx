import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { refusalOf } from '../api/refusal.ts';
import { type ExportFormat, FORMATS, type PayoutExport } from './formats.ts';

/** Saves an export's file, in its own format or in another one. */
export function DownloadExport({ record: { id, export_format, created_at } }: { record: PayoutExport }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const download = async (format: ExportFormat) => {
    setBusy(true);
    try {
      const input = format === export_format ? { id } : { id, export_format: format };
      const { filename, content } = await queryClient.fetchQuery(trpc.payoutExports.get.queryOptions(input, { gcTime: 0 }));
      save(filename, content);
    } catch (error) {
      notifications.show({ color: 'red', message: refusalOf(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-sm" variant="default" loading={busy} aria-label={`Download: export of ${created_at}`}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => void download(value)}>
            {value === export_format ? `${label} (its own format)` : label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function save(filename: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}
