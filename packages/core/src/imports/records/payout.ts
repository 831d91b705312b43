import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { lockAffiliates } from '../../ledger/affiliate-lock.ts';
import { recordPaidPayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { newId } from '../../platform/wire/ids.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { currency, MAX_CENTS, text, timestamp } from '../../platform/wire/scalars.ts';
import type { ImportedRow, RecordKind, Verdict } from '../port/import-kind.ts';
import type { Import, RowOutcome } from '../port/import.entity.ts';
import { externalKey, findAffiliates, findEarlier, isComing } from './find-rows.ts';

const ImportedPayout = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source, address or token of the affiliate. */
  affiliate: text(255),
  /** `open`: nothing was paid yet; `processing`: the former tool is paying. */
  state: z.enum(['open', 'processing', 'paid']),
  amount_cents: z.int().min(-MAX_CENTS).max(MAX_CENTS),
  /** Null for the currency of the import. */
  currency: currency().nullable(),
  paid_at: timestamp().nullable(),
  reference: text(255).nullable(),
  /** Ids at the source of the commissions that it pays. Null if the commissions name the payout. */
  commissions: z.array(text(255)).nullable(),
  created_at: timestamp(),
});
export type ImportedPayout = z.infer<typeof ImportedPayout>;

interface References {
  affiliate_id: string | null;
  currency: string;
  commission_ids: readonly string[];
}

interface PaidCommission {
  payout_row: string;
  outcome: RowOutcome | null;
  record_id: string | null;
  affiliate: string | null;
  state: string;
  amount_cents: number;
  currency: string | null;
  /** That of the commission of the account, if there is one. */
  affiliate_id: string | null;
  /** The commission of the account, if there is one and it may join a payout. */
  is_free: boolean | null;
}

/** Paid payouts with their commissions. What a tool has not paid yet is not imported: unpaid commissions join the open payouts here. */
export const PAYOUTS: RecordKind<ImportedPayout, References> = {
  schema: ImportedPayout,

  keysOf: ({ external_id }) => (external_id === null ? [] : [externalKey(external_id)]),

  async lock(ctx, rows, of) {
    const affiliates = await affiliatesIn(ctx, of, rows);
    await lockAffiliates(
      ctx,
      [...affiliates.values()].flatMap(({ record_id }) => record_id ?? []),
    );
  },

  async check(ctx, of, rows) {
    const earlier = await findEarlier(ctx, of, 'payout', PAYOUTS, rows);
    const affiliates = await affiliatesIn(ctx, of, rows);
    const externalIds = rows.flatMap(({ data }) => data.external_id ?? []);
    const { rows: known } = await sql<{ id: string; external_id: string }>`
      select id, external_id from payout where account_id = ${ctx.accountId} and external_id = any (${externalIds}::text[])`.execute(
      ctx.db,
    );
    const byExternalId = new Map(known.map(({ id, external_id }) => [external_id, id]));
    const found = await findPaid(ctx, of, rows);
    const paid = Map.groupBy(found, ({ payout_row }) => payout_row);
    const names = found.flatMap((each) => each.affiliate ?? []);
    const earners = await findAffiliates(ctx, of, names);
    return rows.map(({ id, data }, i): Verdict<References> => {
      if (data.state === 'open') return { outcome: 'skipped', reason: 'not_paid', record_id: null };
      if (data.state === 'processing') return { outcome: 'problem', reason: 'being_paid' };
      const existing = data.external_id === null ? undefined : byExternalId.get(data.external_id);
      if (existing !== undefined) return { outcome: 'existing', record_id: existing };
      if (earlier[i]) return { outcome: 'skipped', reason: 'repeated', record_id: earlier[i].record_id };
      const affiliate = affiliates.get(data.affiliate);
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const unit = data.currency ?? of.currency;
      if (unit === null) return { outcome: 'problem', reason: 'currency_missing' };
      const commissions = paid.get(id) ?? [];
      const isOfAffiliate = ({ affiliate_id, affiliate: name }: PaidCommission) => {
        const earner = earners.get(name ?? '');
        const known = affiliate_id ?? earner?.record_id ?? earner?.id;
        // In a dry run, the affiliate of a customer may not be known.
        return known === undefined || known === (affiliate.record_id ?? affiliate.id);
      };
      const isRight =
        commissions.length > 0 &&
        commissions.every(
          (each) =>
            isComing(each) &&
            each.is_free !== false &&
            each.state === 'paid' &&
            (each.currency ?? of.currency) === unit &&
            isOfAffiliate(each),
        ) &&
        commissions.reduce((sum, { amount_cents }) => sum + amount_cents, 0) === data.amount_cents;
      if (!isRight) return { outcome: 'problem', reason: 'commissions_differ' };
      return {
        outcome: 'new',
        references: {
          affiliate_id: affiliate.record_id,
          currency: unit,
          commission_ids: commissions.flatMap(({ record_id }) => record_id ?? []),
        },
      };
    });
  },

  async makeAll(ctx, _of, rows) {
    const held = await lockAffiliates(ctx, [...new Set(rows.map(({ references }) => references.affiliate_id!))]);
    const payouts = rows.map(({ row: { data }, references }) => ({
      id: newId('payout', ctx.clock.now()),
      affiliate_id: references.affiliate_id!,
      currency: references.currency,
      amount_cents: data.amount_cents,
      external_id: data.external_id,
      payment_reference: data.reference,
      paid_at: data.paid_at ?? data.created_at,
      created_at: data.created_at,
      commission_ids: references.commission_ids,
    }));
    await recordPaidPayouts(ctx, held, payouts);
    return payouts.map(({ id }) => [id] as const);
  },
};

function affiliatesIn(ctx: Ctx, of: Import, rows: readonly ImportedRow<ImportedPayout>[]) {
  const names = rows.map(({ data }) => data.affiliate);
  return findAffiliates(ctx, of, names);
}

/** Finds the commissions that payouts pay: those that the payouts name, and those that name the payouts. */
async function findPaid(
  { db }: Pick<Ctx, 'db'>,
  of: Import,
  rows: readonly ImportedRow<ImportedPayout>[],
): Promise<PaidCommission[]> {
  const named = rows.flatMap(({ id, data }) => (data.commissions ?? []).map((commission) => ({ id, commission })));
  const naming = rows.filter(({ data }) => data.commissions === null);
  const columns = sql`paying.outcome, paying.record_id, paying.data ->> 'affiliate' as affiliate, paying.data ->> 'state' as state,
    (paying.data ->> 'amount_cents')::bigint as amount_cents, paying.data ->> 'currency' as currency,
    (select affiliate_id from commission where id = paying.record_id), (
      select commission.state = 'paid' and not exists (select from payout_item where commission_id = commission.id)
      from commission where id = paying.record_id) as is_free`;
  // PostgreSQL has no statistics about this field. Without `offset`, it would read all commissions of the import for every few payouts.
  const paying = (by: RawBuilder<unknown>) =>
    sql`lateral (select * from data_import_row where import_id = ${of.id} and kind = 'commission' and ${by} offset 0) paying`;
  const { rows: paid } = await sql<PaidCommission>`
    select named.id as payout_row, ${columns}
    from json_to_recordset(${JSON.stringify(named)}::json) as named (id text, commission text)
    left join ${paying(sql`source_id = named.commission`)} on true
    union all
    select payout.id, ${columns} from json_to_recordset(${JSON.stringify(naming)}::json) as payout (id text, source_id text)
    cross join ${paying(sql`data ->> 'payout' = payout.source_id`)}`.execute(db);
  return paid;
}
