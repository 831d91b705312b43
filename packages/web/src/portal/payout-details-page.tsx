import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { PortalData } from './portal-data.tsx';
import { Page } from '../components/page.tsx';

export function PayoutDetailsPage() {
  const details = useQuery(trpc.portal.getPayoutDetails.queryOptions());
  return (
    <PortalData query={details}>
      {({ walleta_email, walletb_email }) => (
        <Page title="Payout details" description="Where the merchant sends your money.">
          <Text>PayPal: {walleta_email ?? 'no address yet'}</Text>
          <Text>Wise: {walletb_email ?? 'no address yet'}</Text>
        </Page>
      )}
    </PortalData>
  );
}
