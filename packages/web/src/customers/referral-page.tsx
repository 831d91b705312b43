import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Columns } from '../components/columns.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { useRecordId } from '../components/looked-at.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { t } from '../texts/customers.ts';
import { CustomerLink } from './names.tsx';
import { ReferralState } from './referral.tsx';

export function ReferralPage() {
  const id = useRecordId();
  const referral = useQuery(trpc.referrals.get.queryOptions({ id, expand: ['affiliate', 'customer', 'link'] }));
  return <LoadedPage query={referral}>{(record) => <ReferralDetail referral={record} />}</LoadedPage>;
}

function ReferralDetail({ referral }: { referral: Outputs['referrals']['get'] }) {
  const { id, affiliate_id, affiliate, customer, link, created_at, converted_at, expires_at, deactivated_at } = referral;
  const timeline = useQuery(trpc.referrals.timeline.queryOptions({ id }));
  return (
    <Page title={t.referral}>
      <Columns
        aside={
          <Facts
            label={t.referral}
            facts={[
              [t.affiliate, <AffiliateLink key="affiliate" id={affiliate_id} affiliate={affiliate} />],
              [t.customer, customer && <CustomerLink customer={customer} />],
              [t.state, <ReferralState key="state" referral={referral} />],
              [t.link, link?.copy_url],
              [t.created, <Moment key="created" at={created_at} />],
              [t.converted, converted_at && <Moment at={converted_at} />],
              [t.expires, expires_at && <Moment at={expires_at} />],
              [t.deactivated, deactivated_at && <Moment at={deactivated_at} />],
              [t.recordId, <Code key="id">{id}</Code>],
            ]}
          />
        }
      >
        <RecordTimeline query={timeline} />
      </Columns>
    </Page>
  );
}
