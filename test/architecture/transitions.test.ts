import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../packages/core/src');

/** Records, each with the only file that may create such records or write their table. */
const OWNERS = [
  { file: 'program/referrals/referral.transitions.ts', entities: ['Referral'], tables: ['referral'] },
  { file: 'ledger/sales/sale.transitions.ts', entities: ['Sale', 'Refund'], tables: ['sale', 'refund'] },
  { file: 'ledger/commissions/commission.transitions.ts', entities: ['Commission'], tables: ['commission'] },
  {
    file: 'ledger/payouts/payout.transitions.ts',
    entities: ['Payout'],
    tables: ['payout', 'payout_item', 'payout_attempt', 'returned_payout_item'],
  },
  { file: 'payouts/batches/payout-batch.transitions.ts', entities: ['PayoutBatch'], tables: ['payout_batch'] },
];

/** Folders with the code that handles the records of `OWNERS`. In these folders, only the transitions files may assign columns. */
const HANDLERS = /^(ledger|payouts|program\/referrals|intake\/(sales|visits|payments))\//;

/** Matches assignments, not comparisons in SQL. */
const ASSIGNMENT = /(?:^|\)|=>)\s*\w+\.(state|stage|status|working|\w+_\w+)\s*(\?\?|[-+])?=(?![=>])|Object\.assign\((?!\{)/;
/** Matches the status of an HTTP response, which is not a column. */
const NOT_A_RECORD = /\breply\.status\b/;

function writesOf(tables: readonly string[], entities: readonly string[]): RegExp {
  const table = `(${tables.join('|')})`;
  const sql = `(update|insert into|delete from)\\s+${table}\\b(?!\\.)`;
  const kysely = `(updateTable|insertInto|deleteFrom)\\('${table}'`;
  const records = `\\b(insert|draft|save|store|remove)\\(\\w+, (${entities.join('|')})\\b`;
  return new RegExp(`${sql}|${kysely}|${records}`);
}

function strayWrites(file: string, source: string): string[] {
  const patterns = OWNERS.filter((owner) => owner.file !== file).map((owner) => ({
    pattern: writesOf(owner.tables, owner.entities),
    place: owner.file,
  }));
  if (HANDLERS.test(file) && !file.endsWith('.transitions.ts'))
    patterns.push({ pattern: ASSIGNMENT, place: "the record's *.transitions.ts" });
  return source
    .split('\n')
    .filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line) && !NOT_A_RECORD.test(line))
    .flatMap((line) => {
      const stray = patterns.find(({ pattern }) => pattern.test(line));
      return stray ? [`${file}: ${line.trim()} — write a function for this in ${stray.place}`] : [];
    });
}

describe('the state of a money record', () => {
  it('is changed only by the declared transitions', () => {
    const files = globSync('**/*.ts', { cwd: ROOT }).filter(
      (file) => !file.includes('migrations/') && !file.endsWith('.test.ts'),
    );
    expect(files).toEqual(expect.arrayContaining(OWNERS.map(({ file }) => file)));
    expect(files.flatMap((file) => strayWrites(file, readFileSync(resolve(ROOT, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['ledger/payouts/pay-payouts.ts', "update commission set state = 'paid'"],
    ['ledger/payouts/pay-payouts.ts', "  payout.status = 'paid';"],
    ['intake/sales/record-sale.ts', '  sale.customer_id ??= customer.id;'],
    ['payouts/runs/payout-run.service.ts', '  if (!busy) run.payouts_count += 1;'],
    ['intake/sales/record-sale.ts', '  Object.assign(sale, { promo_code: null });'],
    ['ledger/earning/earn.ts', '  const commission = insert(ctx, Commission, {'],
    ['payouts/runs/payout-run.service.ts', '  save(ctx, PayoutBatch, run, { working: false });'],
    ['worker/sweep.ts', "  await db.updateTable('payout_batch').set({ working: false }).execute();"],
  ])('is reported when other code changes it: %s: %s', (file, line) => {
    expect(strayWrites(file, line)).toHaveLength(1);
  });
});
