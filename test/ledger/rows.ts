/** The rows of all accounts as PostgreSQL has them, read by plain SQL. Shares no code with the service. */
import type { Client } from 'pg';

export interface SaleRow {
  id: string;
  account_id: string;
  referral_id: string | null;
  affiliate_id: string | null;
  assigned_referral_id: string | null;
  repeats_sale_id: string | null;
  external_id: string | null;
  customer_id: string | null;
  livemode: boolean | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  uncounted_refund_cents: number | null;
  credit_note_refund_cents: number;
  credit_note_tax_cents: number;
  currency: string;
  charged_at: string;
  reconsidered_at: string | null;
  no_commission_reason: string | null;
  names: string[];
  excluded: boolean;
  paid_outside: 'counted' | 'excluded' | null;
  disputed: boolean;
  contested: object | null;
  limits: { maxCommissions: number | null } | null;
  itemized: boolean;
  imported_at: string | null;
  imported_refund_cents: number | null;
}

export interface CommissionRow {
  id: string;
  account_id: string;
  campaign_id: string;
  affiliate_id: string;
  referral_id: string | null;
  sale_id: string | null;
  adjusts_commission_id: string | null;
  kind: 'sale' | 'bonus' | 'lead' | 'milestone' | 'adjustment' | 'manual' | 'imported';
  state: 'pending' | 'due' | 'paid' | 'voided';
  amount_cents: number;
  currency: string;
  livemode: boolean;
  basis_points: number | null;
  imported_cents: number | null;
  lines_currency: string | null;
  paid_at: string | null;
  review_status: 'suspicious' | 'approved' | null;
  review_reason: string | null;
  voided_by_refund: boolean;
  superseded: boolean;
  rule_id: string | null;
  due_at: string;
  due_by_hand: boolean;
}

/** The only version of a rule with a cap that several sales share. Rules that have changed are left out. */
interface CapRow {
  rule_id: string;
  amount_cents: number;
  currency: string;
  per: 'referral' | 'affiliate';
  window: 'ever' | 'month' | 'year';
}

export interface PayoutRow {
  id: string;
  account_id: string;
  affiliate_id: string;
  currency: string;
  livemode: boolean;
  status: 'open' | 'processing' | 'paid' | 'returned';
  amount_cents: number;
  commissions_count: number;
  paid_at: string | null;
}

/** A payment of the provider, with everything that was reported about money that went back. */
/** The last words of a source about the payment of a sale. */
export interface PaymentRow {
  sale_id: string;
  refunds: { at: string; amount: number; state: 'waiting' | 'done' | 'failed' }[];
  disputes: { at: string; amount: number; outcome: 'open' | 'won' | 'lost' }[];
}

/** A charge, as an event of the provider told it. */
interface ChargeRow {
  account_id: string;
  charge: string;
  currency: string;
  livemode: boolean;
}

/** Two ids of one payment, as an event of the provider told them. */
interface SamePaymentRow {
  account_id: string;
  charge: string;
  intent: string;
}

/** Terms of a campaign. `until` is null for the current ones. */
export interface TermsRow {
  campaign_id: string;
  until: string | null;
  archived: boolean;
  commission_basis_points: number | null;
  commission_amount_cents: number | null;
  commission_amount_currency: string | null;
}

/** A state of an affiliate. `until` is null for the current one. */
export interface StateRow {
  affiliate_id: string;
  until: string | null;
  state: string;
  archived: boolean;
}

/** A time during which a referral was deactivated. `until` is null if it still is. */
interface DeactivationRow {
  referral_id: string;
  deactivated_at: string;
  until: string | null;
}

interface LineRow {
  commission_id: string;
  rule_id: string | null;
  pay: { kind: string; basis_points?: number };
  cents: number;
  at_most_cents: number | null;
}

export interface Rows {
  sales: SaleRow[];
  commissions: CommissionRow[];
  lines: LineRow[];
  caps: CapRow[];
  payouts: PayoutRow[];
  items: { payout_id: string; commission_id: string }[];
  returnedItems: { payout_id: string; commission_id: string; amount_cents: number }[];
  /** Payouts in exports and runs. */
  claims: { payout_id: string; of: 'export' | 'run'; state: string; amount_cents: number }[];
  payments: PaymentRow[];
  samePayments: SamePaymentRow[];
  charges: ChargeRow[];
  refunds: { sale_id: string; reported_sale_id: string | null; amount_cents: number; repeated: boolean }[];
  terms: TermsRow[];
  states: StateRow[];
  deactivations: DeactivationRow[];
  /** Announcements of money: the event's type, its record, and the amount in its body. */
  /** The ids of the payouts that another tool has paid. */
  paidElsewhere: { payout_id: string }[];
  events: { type: string; subject_id: string; amount_cents: number }[];
}

const QUERIES: Record<keyof Rows, string> = {
  sales: 'select * from sale',
  commissions: 'select * from commission',
  lines: 'select commission_id, rule_id, pay, cents, at_most_cents from commission_line',
  caps: `select rule_id, (cap ->> 'amount_cents')::bigint as amount_cents, cap ->> 'currency' as currency, cap ->> 'per' as per, cap ->> 'window' as window
    from reward_rule_version version where cap ->> 'per' <> 'sale'
      and not exists (select from reward_rule_version other where other.rule_id = version.rule_id and other.version <> version.version)`,
  payouts: 'select * from payout',
  items: 'select payout_id, commission_id from payout_item',
  returnedItems: 'select payout_id, commission_id, amount_cents from returned_payout_item',
  claims: `select attempt.payout_id, batch.kind as of, case
      when attempt.state in ('failed', 'withdrawn') then attempt.state
      when batch.kind = 'export' then case when batch.stage = 'partly_paid' then 'paid' else batch.stage end
      when attempt.state = 'arrived' then 'paid'
      else attempt.state
    end as state, attempt.amount_cents
    from payout_attempt attempt join payout_batch batch on batch.id = attempt.batch_id
    where not superseded`,
  payments: 'select sale_id, refunds, disputes from payment',
  charges: `select distinct account_id, livemode, 'charge:' || (piece -> 'fact' -> 'payment' ->> 'chargeId') as charge,
      piece -> 'fact' ->> 'currency' as currency
    from payment_pieces, jsonb_array_elements(pieces) piece where piece -> 'fact' ->> 'kind' = 'charge_succeeded'`,
  samePayments: `select distinct account_id, 'charge:' || (ids ->> 'chargeId') as charge, 'payment_intent:' || (ids ->> 'paymentIntentId') as intent
    from payment_pieces, jsonb_array_elements(pieces) piece, lateral (
      select piece -> 'fact' -> 'payment' as ids
      union all select jsonb_array_elements(piece -> 'fact' -> 'payments') where piece -> 'fact' ->> 'kind' = 'invoice_paid'
    ) named
    where ids ->> 'chargeId' is not null and ids ->> 'paymentIntentId' is not null`,
  refunds: 'select sale_id, reported_sale_id, amount_cents, repeated from refund',
  terms: `select campaign_id, until, archived, commission_basis_points, commission_amount_cents, commission_amount_currency from campaign_terms
    union all select id, null, archived_at is not null, commission_basis_points, commission_amount_cents, commission_amount_currency from campaign`,
  states: `select affiliate_id, until, state, archived from affiliate_state_version
    union all select id, null, state, archived_at is not null from affiliate`,
  deactivations: `select referral_id, deactivated_at, until from referral_deactivation
    union all select id, deactivated_at, null from referral where deactivated_at is not null`,
  paidElsewhere: `select payout_id from payout_attempt where raw_state = 'paid_elsewhere'`,
  events: `select type, subject_id, (body::json -> 'data' ->> 'amount_cents')::bigint as amount_cents from event
    where type in ('commission.created', 'commission.voided', 'payout.paid', 'payout.returned')`,
};

/** Reads all rows. To read them as of one moment, the connection must be in a transaction with a snapshot. */
export async function readRows(client: Client): Promise<Rows> {
  const read: [string, unknown[]][] = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    // JSON, so that amounts are numbers and times are ISO texts.
    const { rows } = await client.query<{ row: unknown }>(`select to_jsonb(each) as row from (${query}) each`);
    read.push([name, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(read) as unknown as Rows;
}
