/**
 * Measures the processor time per write that PostgreSQL spends on keeping counts of commissions. Makes the same inserts and updates in turn with
 * and without the triggers that keep the counts. Prints a Markdown table.
 *
 *   npx -y pnpm@12 bench counting-trigger [writes per round, 3000] [rounds, 4]
 *
 * Runs on Linux only, because it reads processor times from /proc. See README.md.
 */
import { openBenchDatabase, seedProgram } from './support/dataset.ts';
import { cpuMsOf } from './support/load.ts';

const [writes = 3_000, rounds = 4] = process.argv
  .slice(2)
  .filter((argument) => argument !== '--')
  .map(Number);
const AFFILIATES = 500;
const COMMISSIONS = 20_000;

/** Inserts a copy of a commission. The copy is marked as superseded, because a sale can have only one commission that is not superseded. */
const INSERT = `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points,
    due_at, superseded, created_at, updated_at)
  select new_id('com', now()), account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, true, now(), now()
  from commission where id = $1`;
const UPDATE = `update commission set state = case state when 'pending' then 'due' else 'pending' end, updated_at = now() where id = $1`;
const WRITES = { insert: INSERT, update: UPDATE };

const bench = await openBenchDatabase();
try {
  const { client } = bench;
  await seedProgram(client, { affiliates: AFFILIATES, commissions: COMMISSIONS });
  const spent = { insert: { with: 0, without: 0 }, update: { with: 0, without: 0 } };
  // The first round only warms up and is not measured.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, text] of Object.entries(WRITES) as ['insert' | 'update', string][]) {
      for (const triggers of ['with', 'without'] as const) {
        await client.query(
          `alter table commission ${triggers === 'with' ? 'enable' : 'disable'} trigger commission_counted_after_${kind}`,
        );
        const before = cpuMsOf('database');
        for (let n = 0; n < writes; n += 1)
          await client.query({ name: kind, text, values: [`com_${1 + ((round * writes + n) % COMMISSIONS)}`] });
        if (round > 0) spent[kind][triggers] += cpuMsOf('database') - before;
        await client.query('truncate commission_count_change');
      }
    }
  }
  process.stdout.write('| Write | without, ms | with, ms | ratio |\n|---|---:|---:|---:|\n');
  for (const [kind, { with: counted, without }] of Object.entries(spent)) {
    const each = (ms: number) => (ms / (rounds * writes)).toFixed(3);
    process.stdout.write(`| ${kind} | ${each(without)} | ${each(counted)} | ${(counted / without).toFixed(2)} |\n`);
  }
} finally {
  await bench.stop();
}
