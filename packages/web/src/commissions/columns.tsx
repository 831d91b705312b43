import { Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/en/commissions.ts';
import { Filled } from '../components/filled.tsx';

/** A commission with its sale and campaign. */
export type Commission = Outputs['commissions']['list']['data'][number];

export const COMMISSION_COLUMNS: Column<Commission>[] = [
  {
    header: t.affiliate,
    cell: ({ affiliate_id, sale }) => <AffiliateLink id={affiliate_id} affiliate={sale?.affiliate} />,
  },
  { header: t.commission, numeric: true, cell: (commission) => <Amount commission={commission} /> },
  {
    header: t.sale,
    numeric: true,
    cell: ({ sale }) => sale && <Money cents={sale.sale_amount_cents} currency={sale.currency} />,
  },
  { header: t.customer, cell: (commission) => customerOf(commission) ?? '–' },
  { header: t.state, cell: (commission) => <State commission={commission} /> },
  { header: t.charged, cell: ({ sale, created_at }) => <Moment at={sale?.charged_at ?? created_at} /> },
];

const REVIEW_REASON_LABELS = {
  self_referral: t.customerIsTheAffiliate,
  possible_duplicate: t.reportedTwice,
} as const;

export function customerOf({ sale }: Commission): string | null {
  const customer = sale?.referral?.customer;
  return customer?.email ?? customer?.name ?? null;
}

function Amount({ commission: { amount_cents, currency, kind, note } }: { commission: Commission }) {
  return (
    <>
      <Text fw={500} span>
        <Money cents={amount_cents} currency={currency} />
      </Text>
      {kind === 'adjustment' && (
        <Text size="sm" c="dimmed">
          {t.adjustment}
        </Text>
      )}
      {kind === 'manual' && (
        <Text size="sm" c="dimmed">
          {t.byHand({ note })}
        </Text>
      )}
    </>
  );
}

function State({
  commission: { state, livemode, due_at, paid_at, review_status, review_reason, void_reason },
}: {
  commission: Commission;
}) {
  return (
    <div>
      <StateBadge state={state} />
      <ModeBadge livemode={livemode} />
      {review_status === 'suspicious' && state !== 'voided' && <StateBadge state="suspicious" />}
      <Text size="sm" component="div" c="dimmed">
        {state === 'pending' && <Filled text={t.dueAt} values={{ at: <Moment at={due_at} /> }} />}
        {state === 'paid' && <Moment at={paid_at} />}
        {state === 'voided' && void_reason}
        {review_status === 'suspicious' && state !== 'voided' && review_reason !== null && (
          <div>{REVIEW_REASON_LABELS[review_reason]}</div>
        )}
      </Text>
    </div>
  );
}
