import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Columns } from '../components/columns.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { useRecordId } from '../components/looked-at.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/customers.ts';
import { t as gaps } from '../texts/gaps.ts';
import { language } from '../texts/language.ts';
import { t as reviews } from '../texts/sale-review.ts';
import { AssignButton } from './assign-sale.tsx';
import { CorrectButton, isCorrectable } from './correct-sale.tsx';
import { CustomerLink } from './names.tsx';
import { ReconsiderButton } from './reconsider-sale.tsx';
import { ReferralLink } from './referral.tsx';
import { Attribution, saleName } from './sale-columns.tsx';
import { SaleGap } from './sale-gap.tsx';
import { reviewInWords, SaleReviewActions } from './sale-review.tsx';

export function SalePage() {
  const id = useRecordId();
  const sale = useQuery(trpc.sales.get.queryOptions({ id, expand: ['missing', 'review', 'explanation'] }));
  return <LoadedPage query={sale}>{(record) => <SaleDetail sale={record} />}</LoadedPage>;
}

function SaleDetail({ sale }: { sale: Outputs['sales']['get'] }) {
  const { id, currency, customer, referral_id, review } = sale;
  // The affiliate was refused, or a person has taken back what was paid to the affiliate.
  const isDecidable = sale.no_commission_reason !== null || review?.contested?.commission_state === 'voided';
  const may = useMay();
  const timeline = useQuery(trpc.sales.timeline.queryOptions({ id }));
  const money = (cents: number) => <Money cents={cents} currency={currency} />;
  return (
    <Page
      title={t.saleNamed({ name: saleName(sale) })}
      description={sale.description}
      actions={
        may('sales') && (
          <>
            {sale.affiliate_id === null && <AssignButton sale={sale} size="sm" />}
            {sale.affiliate_id !== null && isDecidable && <ReconsiderButton sale={sale} />}
            {isCorrectable(sale) && <CorrectButton sale={sale} />}
          </>
        )
      }
    >
      <RecordLinks of="sale" id={id} />
      <Columns
        aside={
          <Facts
            label={t.sale}
            facts={[
              [t.charge, money(sale.charge_amount_cents)],
              [t.tax, sale.tax_amount_cents > 0 && money(sale.tax_amount_cents)],
              [t.refunded, sale.refund_amount_cents > 0 && money(sale.refund_amount_cents)],
              [t.net, money(sale.sale_amount_cents)],
              [t.charged, <Moment key="charged" at={sale.charged_at} />],
              [t.mode, !sale.livemode && <ModeBadge livemode={false} />],
              [t.customer, customer && <CustomerLink customer={customer} />],
              [t.affiliate, <Attribution key="affiliate" sale={sale} />],
              [t.referral, referral_id && <ReferralLink id={referral_id} />],
              [t.promoCode, sale.promo_code],
              [t.yourId, sale.external_id],
              [t.stripeCharge, sale.psp_charge_id],
              [t.stripeInvoice, sale.psp_invoice_id],
              [t.paidOutside, sale.paid_outside && (sale.paid_outside === 'counted' ? t.outsideCounted : t.outsideExcluded)],
            ]}
          />
        }
      >
        {sale.explanation && (
          <Section title={t.whatItEarns}>
            <Text>{sale.explanation.in_words[language]}</Text>
          </Section>
        )}
        {review && (
          <Section title={reviews.needsReview}>
            {reviewInWords(review, currency).map((sentence) => (
              <Text key={sentence} mb="sm">
                {sentence}
              </Text>
            ))}
            {may('sales') && <SaleReviewActions sale={sale} review={review} />}
          </Section>
        )}
        {sale.missing && (
          <Section title={gaps.missing}>
            <SaleGap gap={sale.missing} />
          </Section>
        )}
        <RecordTimeline query={timeline} />
      </Columns>
    </Page>
  );
}
