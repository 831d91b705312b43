import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Answer } from '../components/answer.tsx';
import { Branded } from '../components/cells.tsx';
import { Columns } from '../components/columns.tsx';
import { labelOf, stateOfCommission } from '../components/labels.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { useRecordId } from '../components/looked-at.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { SharedAccounts } from '../payout-methods/shared-accounts.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { useMay } from '../session/session.tsx';
import { language } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { Obstacles } from './obstacles.tsx';
import { MEANINGS } from './payments.ts';
import { PayoutActions, subjectOf } from './payout-actions.tsx';

type PayoutRecord = Outputs['payouts']['get'];
type Commission = NonNullable<PayoutRecord['commissions']>[number];

/** Maximum number of commissions on the page. The list of commissions contains all commissions of the payout. */
const SHOWN = 100;

const COLUMNS: Column<Commission>[] = [
  { header: t.for, cell: ({ kind, note, sale }) => sale?.description ?? note ?? labelOf(kind) },
  {
    header: t.commission,
    numeric: true,
    cell: ({ id, amount_cents, currency }) => (
      <Anchor component={Link} to={`/commissions/${id}`}>
        <Money cents={amount_cents} currency={currency} />
      </Anchor>
    ),
  },
  { header: t.state, stays: true, cell: ({ state }) => <StateBadge state={stateOfCommission(state)} /> },
  { header: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
];

export function PayoutPage() {
  const id = useRecordId();
  const payout = useQuery(
    trpc.payouts.get.queryOptions({
      id,
      expand: ['affiliate', 'commissions', 'commissions.sale', 'under_review', 'shared_accounts', 'explanation', 'attempts'],
    }),
  );
  return <LoadedPage query={payout}>{(record) => <PayoutDetail payout={record} />}</LoadedPage>;
}

function PayoutDetail({ payout }: { payout: PayoutRecord }) {
  const may = useMay();
  const { id, affiliate_id, affiliate, paid_at, returned_at } = payout;
  const attempt = payout.attempts?.at(-1);
  const timeline = useQuery(trpc.payouts.timeline.queryOptions({ id }));
  const commissions = (payout.commissions ?? []).slice(0, SHOWN);
  return (
    <Page
      title={t.payout}
      description={subjectOf(payout)}
      actions={may('payouts') && <PayoutActions payout={payout} look="primary" />}
    >
      <RecordLinks of="payout" id={id} />
      <SharedAccounts shared={payout.shared_accounts} />
      <Columns
        aside={
          <Facts
            label={t.payout}
            facts={[
              [t.mode, !payout.livemode && <ModeBadge livemode={false} />],
              [t.affiliate, <AffiliateLink key="affiliate" id={affiliate_id} affiliate={affiliate} />],
              [
                t.paidBy,
                attempt && attempt.method !== 'by_hand' && <Branded kind={attempt.method} name={labelOf(attempt.method)} />,
              ],
              [t.paymentReference, payout.payment_reference],
              [t.paid, paid_at && <Moment at={paid_at} />],
              [t.returned, returned_at && <Moment at={returned_at} />],
              [t.returnReason, payout.return_reason],
              [t.created, <Moment key="created" at={payout.created_at} />],
              [t.recordId, <Code key="id">{id}</Code>],
            ]}
          />
        }
      >
        <Section title={t.whyThisAmount}>
          <Answer cents={payout.amount_cents} currency={payout.currency} state={payout.state}>
            <Text>{payout.explanation?.in_words[language]}</Text>
            <Text component="div" mt="xs" size="sm">
              <Obstacles payout={payout} />
              {payout.state === 'processing' && attempt && MEANINGS[attempt.state]}
            </Text>
          </Answer>
        </Section>
        <RecordTimeline query={timeline} />
        <Section title={t.commissions}>
          <RecordTable caption={t.commissions} columns={COLUMNS} rows={commissions} keyOf={(commission) => commission.id} />
          {commissions.length < payout.commissions_count && (
            <Anchor component={Link} to={`/commissions?affiliate_id=${affiliate_id}`}>
              {t.allCommissions}
            </Anchor>
          )}
        </Section>
      </Columns>
    </Page>
  );
}
