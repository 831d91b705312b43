import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { RecordEvents } from '../records/record-events.tsx';
import { t } from '../texts/commissions.ts';
import { CommissionLinks } from './commission-links.tsx';
import { subjectOf } from './review-actions.tsx';

/** The events about a commission, as webhook endpoints receive them. */
export function CommissionEventsPage() {
  const { id = '' } = useParams();
  const commission = useQuery(trpc.commissions.get.queryOptions({ id, expand: ['affiliate'] }));
  return (
    <LoadedPage query={commission}>
      {(record) => (
        <Page title={t.commission} description={subjectOf(record)}>
          <CommissionLinks id={id} />
          <RecordEvents id={id} />
        </Page>
      )}
    </LoadedPage>
  );
}
