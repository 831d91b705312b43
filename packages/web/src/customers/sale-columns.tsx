import type { Outputs } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { labelOf } from '../components/labels.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Money } from '../components/money.tsx';
import { Ago } from '../lists/ago.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { t } from '../texts/customers.ts';
import { CustomerLink } from './names.tsx';

export type Sale = Outputs['sales']['list']['data'][number];

/** Returns the id by which people know a sale: the merchant's, otherwise the payment provider's, otherwise ours. */
export function saleName({ id, external_id, psp_charge_id }: Sale): string {
  return external_id ?? psp_charge_id ?? id;
}

/** Shows the affiliate of a sale and, if the sale earns no commission, the reason. */
export function Attribution({ sale: { affiliate_id, affiliate, no_commission_reason } }: { sale: Sale }) {
  return (
    <>
      {affiliate_id !== null && <AffiliateLink id={affiliate_id} affiliate={affiliate} />}
      {no_commission_reason !== null && <CellNote>{labelOf(no_commission_reason)}</CellNote>}
      {affiliate_id === null && no_commission_reason === null && '–'}
    </>
  );
}

export const SALE_COLUMNS: ListColumn<Sale>[] = [
  {
    name: 'sale',
    header: t.sale,
    cell: (sale) => (
      <>
        <RecordLink to={`/customers/sales/${sale.id}`}>{saleName(sale)}</RecordLink>
        <ModeBadge livemode={sale.livemode} />
      </>
    ),
  },
  {
    name: 'charge',
    header: t.charge,
    sort: 'charge_amount_cents',
    numeric: true,
    cell: ({ charge_amount_cents, refund_amount_cents, currency }) => (
      <>
        <Money cents={charge_amount_cents} currency={currency} />
        {refund_amount_cents > 0 && (
          <CellNote isShort>{refund_amount_cents < charge_amount_cents ? t.partRefunded : t.refunded}</CellNote>
        )}
      </>
    ),
  },
  {
    name: 'refunded',
    header: t.refunded,
    numeric: true,
    isExtra: true,
    cell: ({ refund_amount_cents, currency }) =>
      refund_amount_cents > 0 && <Money cents={refund_amount_cents} currency={currency} />,
  },
  {
    name: 'net',
    stays: true,
    header: t.net,
    numeric: true,
    cell: ({ sale_amount_cents, currency }) => <Money cents={sale_amount_cents} currency={currency} />,
  },
  { name: 'customer', header: t.customer, cell: ({ customer }) => <CustomerLink customer={customer} /> },
  { name: 'affiliate', header: t.affiliate, cell: (sale) => <Attribution sale={sale} /> },
  { name: 'charged', header: t.charged, sort: 'charged_at', cell: ({ charged_at }) => <Ago at={charged_at} /> },
  { name: 'created', header: t.recorded, isExtra: true, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
];
