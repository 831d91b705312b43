import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { Answer } from '../components/answer.tsx';
import { RecordLink } from '../components/cells.tsx';
import { Columns } from '../components/columns.tsx';
import { labelOf, stateOfCommission } from '../components/labels.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { useRecordId } from '../components/looked-at.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { CustomerLink } from '../customers/names.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/commissions.ts';
import { language } from '../texts/language.ts';
import { type Commission, contestInWords, REVIEW_REASON_LABELS } from './columns.tsx';
import { ReconsiderAction, ReviewActions, subjectOf } from './review-actions.tsx';

export function CommissionPage() {
  const id = useRecordId();
  const commission = useQuery(trpc.commissions.get.queryOptions({ id, expand: ['affiliate', 'contested', 'explanation'] }));
  return <LoadedPage query={commission}>{(record) => <CommissionDetail commission={record} />}</LoadedPage>;
}

function CommissionDetail({ commission }: { commission: Commission }) {
  const may = useMay();
  const { id, affiliate, sale, campaign, currency, review_status, review_reason, payout_id, adjusts_commission_id } = commission;
  const timeline = useQuery(trpc.commissions.timeline.queryOptions({ id }));
  const { contested } = commission;
  const mayReview = may('commissions') && (commission.state === 'pending' || commission.state === 'due');
  const mayReconsider = may('commissions') && contested != null;
  return (
    <Page
      title={t.commission}
      description={subjectOf(commission)}
      actions={
        mayReconsider ? (
          <ReconsiderAction commission={commission} contested={contested} />
        ) : (
          mayReview && <ReviewActions commission={commission} />
        )
      }
    >
      <RecordLinks of="commission" id={id} />
      <Columns
        aside={
          <Facts
            label={t.commission}
            facts={[
              [t.mode, !commission.livemode && <ModeBadge livemode={false} />],
              [t.review, review_status && labelOf(review_status)],
              [t.reason, review_reason && REVIEW_REASON_LABELS[review_reason]],
              [t.paidReward, contested && contestInWords(contested, currency)],
              [t.affiliate, <AffiliateLink key="affiliate" id={commission.affiliate_id} affiliate={affiliate} />],
              [t.campaign, campaign && <RecordLink to={`/campaigns/${campaign.id}`}>{campaign.name}</RecordLink>],
              [t.customer, sale?.referral?.customer && <CustomerLink customer={sale.referral.customer} />],
              [
                t.sale,
                sale && (
                  <Anchor component={Link} to={`/customers/sales/${sale.id}`}>
                    <Money cents={sale.sale_amount_cents} currency={sale.currency} />
                  </Anchor>
                ),
              ],
              [
                t.adjusts,
                adjusts_commission_id && (
                  <RecordLink to={`/commissions/${adjusts_commission_id}`}>{t.earlierCommission}</RecordLink>
                ),
              ],
              [t.payout, payout_id && <RecordLink to={`/payouts/${payout_id}`}>{t.showPayout}</RecordLink>],
              [t.note, commission.note],
              [t.voidReason, commission.void_reason && labelOf(commission.void_reason)],
              [t.due, <Moment key="due" at={commission.due_at} />],
              [t.created, <Moment key="created" at={commission.created_at} />],
              [t.recordId, <Code key="id">{id}</Code>],
            ]}
          />
        }
      >
        <Section title={t.whyThisAmount}>
          <Answer cents={commission.amount_cents} currency={currency} state={stateOfCommission(commission.state)}>
            <Text>{commission.explanation?.in_words[language]}</Text>
          </Answer>
        </Section>
        <RecordTimeline query={timeline} />
      </Columns>
    </Page>
  );
}
