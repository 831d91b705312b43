import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { t } from '../texts/components.ts';
import { t as counts } from '../texts/counts.ts';
import { EmptyState } from './empty-state.tsx';

export type PageInfo = Outputs['apiKeys']['list']['pagination'];

/** Shown instead of a page that is past the last page, e.g. if records were removed since the address was bookmarked. */
export function PastTheEnd({ pagination: { total_pages = 0 } }: { pagination: PageInfo }) {
  const [params, setParams] = useSearchParams();
  const last = String(total_pages);
  return (
    <EmptyState
      title={t.pastTheEnd}
      action={
        <Button variant="default" onClick={() => setParams({ ...Object.fromEntries(params), page: last })}>
          {t.goToLastPage}
        </Button>
      }
    >
      {t.theListHas({ pages: counts.pages(total_pages) })}
    </EmptyState>
  );
}

/** Returns the pagination of a list response whose page is past the last page. Returns null for all other data. */
export function pastTheEnd(data: unknown): PageInfo | null {
  const { pagination } = (data ?? {}) as { pagination?: PageInfo | null };
  const { current_page = 1, total_pages = 0 } = pagination ?? {};
  return pagination && total_pages > 0 && current_page > total_pages ? pagination : null;
}
