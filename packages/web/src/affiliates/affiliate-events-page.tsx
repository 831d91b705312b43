import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { RecordEvents } from '../records/record-events.tsx';
import { AffiliateLinks } from './affiliate-links.tsx';

/** The events about an affiliate, as webhook endpoints receive them. */
export function AffiliateEventsPage() {
  const { id = '' } = useParams();
  const affiliate = useQuery(trpc.affiliates.get.queryOptions({ id }));
  return (
    <LoadedPage query={affiliate}>
      {(record) => (
        <Page title={nameOf(record)} description={record.email}>
          <AffiliateLinks id={id} />
          <RecordEvents id={id} />
        </Page>
      )}
    </LoadedPage>
  );
}
