import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { UnattributedSales } from '../customers/unattributed-sales.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/payment-provider.ts';
import { ConnectForm } from './connect-form.tsx';
import { Connection } from './connection.tsx';
import { EventActivity } from './event-activity.tsx';
import { FurtherConnections } from './further-connections.tsx';
import { TestPurchase } from './test-purchase.tsx';

export function PaymentProviderPage() {
  const may = useMay();
  const connection = useQuery(trpc.pspConnection.get.queryOptions());
  return (
    <Page title={t.paymentProviders} description={t.importSalesRefundsAndPromo}>
      <Loaded query={connection}>
        {(record) =>
          record.connected ? (
            <>
              <Connection connection={record} />
              {record.livemode === false && may('psp') && <TestPurchase />}
              <UnattributedSales livemode={record.livemode === true} />
              <EventActivity />
            </>
          ) : (
            <ConnectForm connection={record} />
          )
        }
      </Loaded>
      {may('psp') && <FurtherConnections />}
    </Page>
  );
}
