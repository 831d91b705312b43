import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Columns } from '../components/columns.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { OnPage, useRecordId } from '../components/looked-at.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { PersonalData } from '../privacy/personal-data.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { t } from '../texts/customers.ts';
import { customerName } from './names.tsx';
import { ReferralLink } from './referral.tsx';
import { SALE_COLUMNS } from './sale-columns.tsx';

/** Maximum number of sales on the page. The list of sales has all of them. */
const SHOWN = 10;

export function CustomerPage() {
  const id = useRecordId();
  const customer = useQuery(trpc.customers.get.queryOptions({ id }));
  return <LoadedPage query={customer}>{(record) => <CustomerDetail customer={record} />}</LoadedPage>;
}

function CustomerDetail({ customer }: { customer: Outputs['customers']['get'] }) {
  const { id, email, name, psp_customer_id, external_id, trial_until, referral_id, affiliate_id, affiliate, created_at } =
    customer;
  const sales = useQuery(trpc.sales.list.queryOptions({ customer_id: id, limit: SHOWN }));
  const timeline = useQuery(trpc.customers.timeline.queryOptions({ id }));
  return (
    <Page
      title={customerName(customer)}
      actions={
        <Button component={Link} to={`/customers/sales?customer_id=${id}`} variant="default">
          {t.allSales}
        </Button>
      }
    >
      <Columns
        aside={
          <Facts
            label={t.customer}
            facts={[
              [t.name, name],
              [t.email, email],
              [t.stripeId, psp_customer_id],
              [t.affiliate, affiliate_id && <AffiliateLink id={affiliate_id} affiliate={affiliate} />],
              [t.referral, referral_id && <ReferralLink id={referral_id} />],
              [t.yourId, external_id],
              [t.trialUntil, trial_until && <Moment key="trial" at={trial_until} />],
              [t.created, <Moment key="created" at={created_at} />],
            ]}
          />
        }
      >
        <Section title={t.sales}>
          <Loaded query={sales}>
            {({ data }) =>
              data.length === 0 ? (
                t.noSales
              ) : (
                <RecordTable
                  caption={t.sales}
                  columns={SALE_COLUMNS.filter((column) => column.name !== 'customer' && !column.isExtra)}
                  rows={data}
                  keyOf={(sale) => sale.id}
                />
              )
            }
          </Loaded>
        </Section>
        <RecordTimeline query={timeline} />
        <OnPage>
          <PersonalData kind="customer" id={id} name={customerName(customer)} erasedAt={customer.erased_at} />
        </OnPage>
      </Columns>
    </Page>
  );
}
