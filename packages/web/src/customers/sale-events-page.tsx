import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { RecordEvents } from '../records/record-events.tsx';
import { t } from '../texts/customers.ts';
import { saleName } from './sale-columns.tsx';
import { SaleLinks } from './sale-links.tsx';

/** The events about a sale, as webhook endpoints receive them. */
export function SaleEventsPage() {
  const { id = '' } = useParams();
  const sale = useQuery(trpc.sales.get.queryOptions({ id }));
  return (
    <LoadedPage query={sale}>
      {(record) => (
        <Page title={t.saleNamed({ name: saleName(record) })} description={record.description}>
          <SaleLinks id={id} />
          <RecordEvents id={id} />
        </Page>
      )}
    </LoadedPage>
  );
}
