import { Button, Group, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { t } from '../texts/portal-pages.ts';

/** Buttons for newer and older records. Each page of the list has its own address. */
export function Pager({ pagination }: { pagination: Outputs['portal']['listLinks']['pagination'] }) {
  const [params, setParams] = useSearchParams();
  const { previous_page, next_page, current_page = 1, total_pages = 0 } = pagination;
  if (total_pages < 2) return null;
  const to = (page: number | null, label: string) => (
    <Button
      variant="default"
      disabled={page === null}
      onClick={() => page !== null && setParams({ ...Object.fromEntries(params), page: String(page) })}
    >
      {label}
    </Button>
  );
  return (
    <Group justify="space-between">
      {to(previous_page, t.newer)}
      <Text size="sm">{t.pageOf({ page: current_page, pages: total_pages })}</Text>
      {to(next_page, t.older)}
    </Group>
  );
}
