import type { Outputs } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { CellLine, CellNote, RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { labelOf, stateOfCommission } from '../components/labels.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { CustomerLink } from '../customers/names.tsx';
import { Ago } from '../lists/ago.tsx';
import { CampaignName } from '../lists/campaign-name.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { t } from '../texts/commissions.ts';

/** A commission with its sale. */
export type Commission = Outputs['commissions']['list']['data'][number];

export const COMMISSION_COLUMNS: ListColumn<Commission>[] = [
  {
    name: 'affiliate',
    header: t.affiliate,
    cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} />,
  },
  {
    name: 'amount',
    header: t.commission,
    sort: 'amount_cents',
    numeric: true,
    cell: (commission) => <Amount commission={commission} />,
  },
  {
    name: 'sale',
    header: t.sale,
    numeric: true,
    cell: ({ sale }) => sale && <Money cents={sale.sale_amount_cents} currency={sale.currency} />,
  },
  { name: 'customer', header: t.customer, cell: ({ sale }) => <CustomerLink customer={sale?.referral?.customer} /> },
  { name: 'campaign', header: t.campaign, isExtra: true, cell: ({ campaign_id }) => <CampaignName id={campaign_id} /> },
  { name: 'state', header: t.state, stays: true, cell: (commission) => <State commission={commission} /> },
  { name: 'charged', header: t.charged, cell: ({ sale, created_at }) => <Ago at={sale?.charged_at ?? created_at} /> },
  { name: 'created', header: t.created, isExtra: true, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'updated', header: t.changed, isExtra: true, sort: 'updated_at', cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export const REVIEW_REASON_LABELS = {
  self_referral: t.customerIsTheAffiliate,
  possible_duplicate: t.reportedTwice,
  tax_currency: t.taxInAnotherCurrency,
  crowded_network: t.manyLeads,
  unproven_lead: t.onlyALead,
  unverified_address: t.onlyAnAddress,
  unpaid_lead: t.leadHasNotPaid,
  suspicious_affiliate: t.affiliateIsSuspicious,
  dispute: t.paymentDisputed,
} as const;

/** The amount of a commission as a link to it, with its kind. */
export function Amount({ commission: { id, amount_cents, currency, kind, note } }: { commission: Commission }) {
  return (
    <>
      <RecordLink to={`/commissions/${id}`} strong>
        <Money cents={amount_cents} currency={currency} />
      </RecordLink>
      {kind === 'adjustment' && <CellNote>{t.adjustment}</CellNote>}
      {kind === 'bonus' && <CellNote>{t.bonus}</CellNote>}
      {kind === 'lead' && <CellNote>{t.lead}</CellNote>}
      {kind === 'milestone' && <CellNote>{t.milestone}</CellNote>}
      {kind === 'manual' && <CellNote>{t.byHand({ note })}</CellNote>}
      {kind === 'imported' && <CellNote>{t.imported}</CellNote>}
    </>
  );
}

function State({
  commission: { state, livemode, due_at, paid_at, review_status, review_reason, void_reason },
}: {
  commission: Commission;
}) {
  return (
    <CellLine>
      <StateBadge state={stateOfCommission(state)} />
      <ModeBadge livemode={livemode} />
      {review_status === 'suspicious' && state !== 'voided' && <StateBadge state="suspicious" />}
      <CellNote isShort>
        {state === 'pending' && <Filled text={t.dueAt} values={{ at: <Ago at={due_at} /> }} />}
        {state === 'paid' && <Moment at={paid_at} />}
      </CellNote>
      {state === 'voided' && <CellNote isLong>{void_reason && labelOf(void_reason)}</CellNote>}
      {review_status === 'suspicious' && state !== 'voided' && review_reason !== null && (
        <CellNote isLong>{REVIEW_REASON_LABELS[review_reason]}</CellNote>
      )}
    </CellLine>
  );
}

/** The reward that the facts known now give instead of a paid one. */
export type Contested = NonNullable<Commission['contested']>;

/** Says what a paid reward would be by the facts that are known now. */
export function contestInWords({ affiliate_id, amount_cents }: Contested, currency: string): string {
  if (affiliate_id !== null) return t.nowAnother;
  return amount_cents === 0 ? t.nowNothing : t.nowAmount({ amount: formatMoney(amount_cents, currency) });
}
