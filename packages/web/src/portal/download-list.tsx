import { writeCsv } from '@affiliate/core/browser';
import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../components/failure.tsx';
import { saveCsv } from '../components/save-file.ts';
import { t } from '../texts/lists.ts';

interface DownloadListProps {
  /** Name of the file, without ending. */
  name: string;
  /** Returns the rows of the file, the headers first. */
  load: () => Promise<string[][]>;
}

/** Saves rows as CSV, with a mark by which spreadsheets recognize the encoding. */
export function DownloadList({ name, load }: DownloadListProps) {
  const download = useMutation({
    mutationFn: load,
    onSuccess: (rows) => saveCsv(`${name.toLowerCase().replaceAll(' ', '-')}.csv`, [writeCsv(rows)]),
  });
  return (
    <div>
      <Button variant="default" size="compact-sm" loading={download.isPending} onClick={() => download.mutate()}>
        {t.downloadCsv}
      </Button>
      <VisuallyHidden role="status">{download.isSuccess ? t.downloaded({ name }) : ''}</VisuallyHidden>
      {download.isError && <Failure error={download.error} />}
    </div>
  );
}

interface ListPage<Row> {
  data: Row[];
  pagination: { next_cursor: string | null };
}

/** Loads all rows of a list, from the oldest, so that a record that is added in between is not counted twice. */
export async function loadAll<Row>(load: (after: { starting_after?: string }) => Promise<ListPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const { data, pagination } = await load(after === null ? {} : { starting_after: after });
    rows.push(...data);
    after = pagination.next_cursor;
  } while (after !== null);
  return rows;
}
