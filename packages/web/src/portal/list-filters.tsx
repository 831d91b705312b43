import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { SearchBox } from '../components/search-box.tsx';
import { RangeFilters } from '../lists/range-filters.tsx';
import { t } from '../texts/portal-pages.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the filters of a list that the page's address has. */
export function useListFilters(): { q?: string; since?: string; until?: string; isFiltered: boolean } {
  const [params] = useSearchParams();
  const q = (params.get('search') ?? '').trim();
  const day = (name: 'since' | 'until') => {
    const value = params.get(name) ?? '';
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? { [name]: value } : {};
  };
  const filters = { ...(q.length > 1 ? { q } : {}), ...day('since'), ...day('until') };
  return { ...filters, isFiltered: Object.keys(filters).length > 0 };
}

/** The search and the filters above a list. */
export function ListFilters({ children }: { children?: ReactNode }) {
  return (
    <Group align="flex-end" gap="sm">
      <SearchBox label={t.searchList} />
      {children}
      <RangeFilters />
    </Group>
  );
}
