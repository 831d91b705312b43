import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { t } from '../texts/components.ts';
import { nameOf } from './affiliate-link.tsx';

const NAME = 'affiliate_id';

/** Returns the id of the affiliate by which the URL filters the list. */
export function useAffiliateFilter(): string | undefined {
  const [params] = useSearchParams();
  return params.get(NAME) ?? undefined;
}

/** Shows the affiliate by which the list is filtered, with a button to clear the filter. */
export function AffiliateFilter() {
  const id = useAffiliateFilter();
  return id === undefined ? null : <Chosen id={id} />;
}

function Chosen({ id }: { id: string }) {
  const [params, setParams] = useSearchParams();
  const affiliate = useQuery(trpc.affiliates.get.queryOptions({ id }));
  const showAll = () => {
    const { [NAME]: _, page: _page, ...rest } = Object.fromEntries(params);
    setParams(rest);
  };
  return (
    <Group gap="sm" mb={4}>
      <Text>{t.filteredByAffiliate({ name: affiliate.data ? nameOf(affiliate.data) : '…' })}</Text>
      <Button size="compact-sm" variant="default" onClick={showAll}>
        {t.allAffiliates}
      </Button>
    </Group>
  );
}
