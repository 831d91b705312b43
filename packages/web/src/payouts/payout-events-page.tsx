import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { RecordEvents } from '../records/record-events.tsx';
import { t } from '../texts/payouts.ts';
import { subjectOf } from './payout-actions.tsx';
import { PayoutLinks } from './payout-links.tsx';

/** The events about a payout, as webhook endpoints receive them. */
export function PayoutEventsPage() {
  const { id = '' } = useParams();
  const payout = useQuery(trpc.payouts.get.queryOptions({ id, expand: ['affiliate'] }));
  return (
    <LoadedPage query={payout}>
      {(record) => (
        <Page title={t.payout} description={subjectOf(record)}>
          <PayoutLinks id={id} />
          <RecordEvents id={id} />
        </Page>
      )}
    </LoadedPage>
  );
}
