import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Outputs } from '../api/client.ts';
import { Icon } from '../components/icon.tsx';
import { notifyFailure } from '../components/notices.tsx';
import { saveCsv } from '../components/save-file.ts';
import { t } from '../texts/lists.ts';

export type CsvPart = Outputs['commissions']['csv'];

/** Downloads a whole list. Fetches it in parts, so that no request takes long enough to time out. */
export function DownloadCsv({ name, load }: { name: string; load: (after: string | undefined) => Promise<CsvPart> }) {
  const download = useMutation({
    mutationFn: async () => {
      const parts: string[] = [];
      let after: string | undefined;
      do {
        const { header, data, next } = await load(after);
        if (parts.length === 0) parts.push(header);
        parts.push(data.join(''));
        after = next ?? undefined;
      } while (after !== undefined);
      return parts;
    },
    onSuccess: (parts) => saveCsv(`${name.toLowerCase().replaceAll(' ', '-')}.csv`, parts),
    onError: notifyFailure,
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      px={6}
      title={t.downloadCsv}
      aria-label={t.downloadCsv}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      <Icon name="download" />
    </Button>
  );
}
