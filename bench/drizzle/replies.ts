import type { affiliate, campaign, commission, customer, payoutItem, referral, sale } from './schema.ts';

type Row<Table extends { $inferSelect: object }> = Table['$inferSelect'];
type Hidden = 'account_id';

type CommissionRow = Omit<Row<typeof commission>, Hidden | 'basis_points'> & {
  account_id?: string;
  basis_points?: number | null;
  item: Row<typeof payoutItem> | null;
};

type CampaignRow = Omit<Row<typeof campaign>, Hidden>;

type SaleRow = Omit<Row<typeof sale>, Hidden | 'named_referral_id'> & {
  account_id?: string;
  named_referral_id?: string | null;
  referral:
    | (Pick<Row<typeof referral>, 'id' | 'conversion_state'> & { customer: Omit<Row<typeof customer>, Hidden> | null })
    | null;
  affiliate: Pick<Row<typeof affiliate>, 'id' | 'email' | 'first_name' | 'last_name'> | null;
};

/** Query options: the columns of a commission in replies, with its payout. */
export const PLAIN = { columns: { account_id: false, basis_points: false }, with: { item: true } } as const;

/** Query options: like `PLAIN`, with the commission's campaign and sale. */
export const EXPANDED = {
  columns: PLAIN.columns,
  with: {
    item: true,
    campaign: { columns: { account_id: false } },
    sale: {
      columns: { account_id: false, named_referral_id: false },
      with: {
        referral: { columns: { id: true, conversion_state: true }, with: { customer: { columns: { account_id: false } } } },
        affiliate: { columns: { id: true, email: true, first_name: true, last_name: true } },
      },
    },
  },
} as const;

export function plain({ item, account_id: _, basis_points: _b, ...row }: CommissionRow) {
  return { ...row, payout_id: item?.payout_id ?? null };
}

export function expanded({ campaign, sale, ...row }: CommissionRow & { campaign: CampaignRow | null; sale: SaleRow | null }) {
  return { ...plain(row), campaign: campaign && campaignOf(campaign), sale: sale && saleOf(sale) };
}

function campaignOf({ is_default, commission_basis_points, ...row }: CampaignRow) {
  const commission_percent = commission_basis_points === null ? null : commission_basis_points / 100;
  return { ...row, default: is_default, commission_percent };
}

export function saleOf({ account_id: _, named_referral_id: _n, referral, affiliate, ...row }: SaleRow) {
  return {
    ...row,
    sale_amount_cents: row.charge_amount_cents - row.tax_amount_cents,
    referral: referral && {
      id: referral.id,
      conversion_state: referral.conversion_state,
      psp_customer_id: referral.customer?.psp_customer_id ?? null,
      customer: referral.customer,
    },
    affiliate: affiliate && {
      id: affiliate.id,
      email: affiliate.email,
      first_name: affiliate.first_name,
      last_name: affiliate.last_name,
    },
  };
}
