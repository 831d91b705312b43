import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { Filter } from '../components/filter.tsx';
import { Page } from '../components/page.tsx';
import { DeliveryLog } from './delivery-log.tsx';

export function DeliveriesPage() {
  const [params] = useSearchParams();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions({ limit: 100 }));
  return (
    <Page title="Deliveries" description="Deliveries of events to your endpoints. Kept for 90 days.">
      <Filter
        label="Endpoint"
        name="endpoint_id"
        all="All"
        options={endpoints.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      <DeliveryLog endpointId={params.get('endpoint_id') ?? undefined} />
    </Page>
  );
}
