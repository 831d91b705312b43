import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { RecordLink, RowActions, RowButton } from '../components/cells.tsx';
import { Failure } from '../components/failure.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Money } from '../components/money.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/sale-review.ts';
import { Attribution, saleName } from './sale-columns.tsx';

const VoidDialog = partOnDemand(async () => (await import('../commissions/review-dialogs.tsx')).VoidDialog);

type Sale = Outputs['sales']['list']['data'][number];
type Review = NonNullable<Sale['review']>;

/** Says what a person should look at about a sale. */
export function reviewInWords({ contested, uncounted_refund_cents }: Review, currency: string): string[] {
  return [
    ...(contested === null ? [] : [contestInWords(contested)]),
    ...(uncounted_refund_cents === null ? [] : [t.uncounted({ amount: formatMoney(uncounted_refund_cents, currency) })]),
  ];
}

function contestInWords(contested: NonNullable<Review['contested']>): string {
  const { commission_state, commission_cents, earned_cents, currency, affiliate_id, affiliate_email, amount_cents } = contested;
  if (commission_state === 'voided') return t.takenBack({ paid: formatMoney(commission_cents, currency) });
  const paid = formatMoney(earned_cents, currency);
  if (amount_cents !== null) return t.nowAmount({ paid, amount: formatMoney(amount_cents, currency) });
  return affiliate_id === null ? t.nowNobody({ paid }) : t.nowAnother({ paid, affiliate: affiliate_email ?? affiliate_id });
}

/** Buttons with which a person says that the money of a sale is right, or takes its commission back. */
export function SaleReviewActions({ sale, review }: { sale: Sale; review: Review }) {
  const { id, updated_at, referral_id } = sale;
  const { contested, uncounted_refund_cents } = review;
  const name = saleName(sale);
  const [asking, dialog] = useDisclosure();
  const decide = useMutation(
    trpc.sales.review.mutationOptions({
      onSuccess: (_, { review_action }) =>
        notify(review_action === 'keep' ? t.kept({ sale: name }) : t.sameRefundNoted({ sale: name })),
      onError: notifyFailure,
    }),
  );
  const isPaid = contested !== null && contested.commission_state !== 'voided';
  return (
    <RowActions>
      {uncounted_refund_cents !== null && (
        <RowButton
          look="primary"
          action={t.sameRefund}
          label={t.sameRefundOf({ sale: name })}
          isBusy={decide.isPending}
          onClick={() => decide.mutate({ id, review_action: 'same_refunds', updated_at })}
        />
      )}
      {isPaid && (
        <>
          <RowButton
            look="primary"
            action={t.keep}
            label={t.keepOf({ sale: name })}
            isBusy={decide.isPending}
            onClick={() => decide.mutate({ id, review_action: 'keep', updated_at })}
          />
          <RowButton look="dangerous" action={t.takeBack} label={t.takeBackOf({ sale: name })} onClick={dialog.open} />
          {asking && (
            <VoidDialog
              commission={{ id: contested.commission_id, referral_id }}
              subject={formatMoney(contested.commission_cents, contested.currency)}
              onClose={dialog.close}
            />
          )}
        </>
      )}
    </RowActions>
  );
}

/** Returned by a function, because this module may be loaded before the texts of its pages. */
function columns(mayReview: boolean): Column<Sale>[] {
  return [
    {
      header: t.sale,
      cell: (sale) => (
        <>
          <RecordLink to={`/customers/sales/${sale.id}`}>{saleName(sale)}</RecordLink>
          <ModeBadge livemode={sale.livemode} />
        </>
      ),
    },
    {
      header: t.charge,
      numeric: true,
      cell: ({ charge_amount_cents, currency }) => <Money cents={charge_amount_cents} currency={currency} />,
    },
    { header: t.affiliate, cell: (sale) => <Attribution sale={sale} /> },
    { header: t.found, cell: ({ review, currency }) => review && reviewInWords(review, currency).join(' ') },
    ...(mayReview
      ? [{ header: t.actions, cell: (sale: Sale) => sale.review && <SaleReviewActions sale={sale} review={sale.review} /> }]
      : []),
  ];
}

/** Lists the sales whose paid commission facts contradict, or whose refunds are in doubt. Shows nothing if there are none. */
export function SalesToReview({ mayReview }: { mayReview: boolean }) {
  const sales = useQuery(trpc.sales.list.queryOptions({ needs_review: true, limit: 100, expand: ['review'] }));
  if (sales.isError) return <Failure error={sales.error} />;
  if (!sales.data || sales.data.data.length === 0) return null;
  return (
    <Section title={t.toReview}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.toReviewHint} {mayReview && t.takeBackHint}
      </Text>
      <RecordTable caption={t.toReview} columns={columns(mayReview)} rows={sales.data.data} keyOf={({ id }) => id} />
    </Section>
  );
}
