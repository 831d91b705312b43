import { Group, Pagination, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { t } from '../texts/components.ts';
import { LOCALE } from '../texts/language.ts';
import type { PageInfo } from './past-the-end.tsx';

const LABELS = { first: t.firstPage, previous: t.previousPage, next: t.nextPage, last: t.lastPage };

/** Pagination below a list. Each page has its own URL. */
export function Paging({ pagination }: { pagination: PageInfo }) {
  const [params, setParams] = useSearchParams();
  const { current_page = 1, total_pages = 0, total_count = 0 } = pagination;
  if (total_pages < 2) return null;
  const show = (page: number) => setParams({ ...Object.fromEntries(params), page: String(page) });
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {t.total({ totalCount: total_count.toLocaleString(LOCALE) })}
      </Text>
      <Pagination
        size="sm"
        total={total_pages}
        value={current_page}
        onChange={show}
        getControlProps={(control) => ({ 'aria-label': LABELS[control] })}
        getItemProps={(page) => ({ 'aria-label': t.page({ page }) })}
      />
    </Group>
  );
}
