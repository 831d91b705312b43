import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SALE_AMOUNT_CENTS, saleAmountCents } from '../../packages/core/src/ledger/sales/sale.entity.ts';
import { sell } from '../support/program.ts';
import { type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { discrepancies, openPayout, payee } from './program.ts';

interface Sale {
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  credit_note_refund_cents: number;
  credit_note_tax_cents: number;
}

const COLUMNS = [
  'charge_amount_cents',
  'tax_amount_cents',
  'refund_amount_cents',
  'credit_note_refund_cents',
  'credit_note_tax_cents',
] as const satisfies (keyof Sale)[];

const MAX = 99_999_999_999_999;

/**
 * Generates charges with a tax and a refund of at most the charge: small amounts, where rounding matters, and amounts whose products exceed 64 bits.
 * Credit notes may state the tax of a part of the refund.
 */
const sales: fc.Arbitrary<Sale> = fc
  .oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: MAX - 10, max: MAX }))
  .chain((charge) =>
    fc.record({
      charge_amount_cents: fc.constant(charge),
      tax_amount_cents: fc.integer({ min: 0, max: charge }),
      refund_amount_cents: fc.oneof(fc.integer({ min: 0, max: charge }), fc.constantFrom(0, charge)),
    }),
  )
  .chain((sale) =>
    fc.record({
      sale: fc.constant(sale),
      noted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: sale.refund_amount_cents })),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  )
  .map(({ sale, noted, share }) => {
    const net = sale.charge_amount_cents - sale.tax_amount_cents;
    const [least, most] = [Math.max(0, noted - net), Math.min(noted, sale.tax_amount_cents)];
    return { ...sale, credit_note_refund_cents: noted, credit_note_tax_cents: least + Math.floor(share * (most - least)) };
  });

const service = useService({ writesRows: true });
let database: Client;
let expression: string;

beforeAll(async () => {
  expression = SALE_AMOUNT_CENTS.compile(service.services.database.kysely).sql;
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(() => database.end());

/** Evaluates the SQL expression for these sales. */
async function inSql(sales: Sale[]): Promise<number[]> {
  const { rows } = await database.query<{ amount: string }>(
    `select ${expression} as amount
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      with ordinality as sale (${COLUMNS.join(', ')}, position)
    order by position`,
    COLUMNS.map((name) => sales.map((sale) => sale[name])),
  );
  return rows.map(({ amount }) => Number(amount));
}

describe('the amount of a sale', () => {
  it('is within half a cent of the exact proportion, and the same in SQL and TypeScript', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sales, { minLength: 200, maxLength: 200 }), async (rows) => {
        const amounts = rows.map(saleAmountCents);
        expect(await inSql(rows)).toEqual(amounts);
        const left = amounts.filter((_, i) => rows[i]!.refund_amount_cents === rows[i]!.charge_amount_cents);
        expect(left.filter((cents) => cents !== 0)).toEqual([]);
        for (const [i, row] of rows.entries()) {
          const [charge, rest] = [
            BigInt(row.charge_amount_cents - row.credit_note_refund_cents),
            BigInt(row.charge_amount_cents - row.refund_amount_cents),
          ];
          const net = charge - BigInt(row.tax_amount_cents - row.credit_note_tax_cents);
          const error = 2n * (BigInt(amounts[i]!) * charge - net * rest);
          expect(error >= -charge && error <= charge).toBe(true);
          expect(amounts[i]).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a sale', () => {
  let account: TestAccount;
  beforeEach(async () => {
    account = await service.createAccount();
  });

  /** Changes the database in a way that no request can. */
  async function change(statement: string, ...values: string[]): Promise<void> {
    const { rowCount } = await database.query(statement, values);
    expect(rowCount).toBe(1);
  }

  it('is adjusted separately per currency', async () => {
    const { referral_id, payout } = await payee(account);
    const { sale, commission } = await sell(account, { referral_id, amount_cents: 5_000 });
    await account.api.post(`/payouts/${payout.id}/pay`);
    await change(
      `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, adjusts_commission_id, kind, state,
         amount_cents, currency, due_at, paid_at, created_at, updated_at)
       select 'com_other', account_id, campaign_id, affiliate_id, referral_id, sale_id, id, 'adjustment', 'paid', 900, 'EUR', due_at, paid_at,
         created_at - interval '31 days', updated_at from commission where id = $1`,
      commission!.id,
    );
    const refund = { external_id: sale.external_id, refund_id: 'all', amount_cents: 5_000 };
    expect((await account.api.post('/track/refunds', refund)).status).toBe(201);
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: -500, currency: 'USD' });
    expect(await discrepancies(account)).toEqual([]);
  });
});
