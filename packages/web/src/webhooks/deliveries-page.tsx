import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { Filter } from '../components/filter.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/webhooks.ts';
import { DeliveryLog } from './delivery-log.tsx';

export function DeliveriesPage() {
  const [params] = useSearchParams();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions({ limit: 100 }));
  return (
    <Page title={t.deliveries} description={t.deliveriesDescription}>
      <DeliveryLog endpointId={params.get('endpoint_id') ?? undefined}>
        <Filter
          label={t.endpoint}
          name="endpoint_id"
          all={t.all}
          options={endpoints.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      </DeliveryLog>
    </Page>
  );
}
