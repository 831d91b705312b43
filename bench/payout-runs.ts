/**
 * Measures how fast a payout run plans and pays 50,000 affiliates with 1,000,000 commissions, against paying one payout at a time; and how long
 * a read of payouts and a payment by hand take meanwhile. In one run, on one database; the ratio is comparable between machines, the
 * rates are not.
 *
 *   npx -y pnpm@12 bench:payout-runs [affiliates] [commissions]
 */
import { appRouter, createCallerFactory } from '@affiliate/core';
import { openBenchDatabase, seedOpenPayouts, seedProgram } from './dataset.ts';

const AFFILIATES = Number(process.argv[2] ?? 50_000);
const COMMISSIONS = Number(process.argv[3] ?? 1_000_000);
/** Payouts that are paid one at a time. */
const BASELINE = 200;
const PROBE_EVERY_MS = 100;

const bench = await openBenchDatabase();
try {
  const account = await seedProgram(bench.client, { affiliates: AFFILIATES, commissions: COMMISSIONS });
  await seedOpenPayouts(bench.client);
  await bench.client.query('checkpoint');
  const baseline = await oneByOne();
  const caller = createCallerFactory(appRouter)({
    services: bench.services,
    requestId: 'bench',
    principal: { kind: 'system', account_id: account },
    surface: 'v1',
    reply: {},
  });

  const memoryBefore = process.memoryUsage().rss;
  let memoryPeak = memoryBefore;
  const watch = setInterval(() => (memoryPeak = Math.max(memoryPeak, process.memoryUsage().rss)), 50);

  const planStarted = performance.now();
  const planned = await caller.payoutRuns.create({});
  const planSeconds = (performance.now() - planStarted) / 1000;

  const spare = await payoutsToPayByHand(account);
  const executeStarted = performance.now();
  let executing = true;
  const probes = probe(() => executing);
  const executed = await caller.payoutRuns.execute({ id: planned.id, async: false });
  const executeSeconds = (performance.now() - executeStarted) / 1000;
  executing = false;
  const { reads, payments } = await probes;
  clearInterval(watch);

  const { rows } = await bench.client.query(
    `select count(*)::int as events, count(distinct subject_id)::int as payouts_announced from event where type = 'payout.paid'`,
  );
  const { discrepancies } = await caller.payoutRuns.reconcile({});
  report({
    affiliates: executed.items_total,
    commissions: COMMISSIONS,
    plan_seconds: round(planSeconds),
    execute_seconds: round(executeSeconds),
    payouts_per_second: Math.round(executed.items_total / executeSeconds),
    one_by_one_per_second: Math.round(baseline),
    ratio: round(executed.items_total / executeSeconds / baseline),
    memory_growth_mb: Math.round((memoryPeak - memoryBefore) / 1e6),
    meanwhile: { reads: latencies(reads), payments_by_hand: latencies(payments) },
    state: executed.state,
    discrepancies: discrepancies.length,
    ...rows[0],
  });

  /** Reads a page of payouts and pays one by hand, again and again, until the run is through. */
  async function probe(goesOn: () => boolean): Promise<{ reads: number[]; payments: number[] }> {
    const reads: number[] = [];
    const payments: number[] = [];
    while (goesOn()) {
      reads.push(await millisecondsOf(() => caller.payouts.list({ state: ['paid'] })));
      const id = spare.pop();
      if (id !== undefined) payments.push(await millisecondsOf(() => caller.payouts.pay({ id })));
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
    return { reads, payments };
  }
} finally {
  await bench.stop();
}

/** The naive way: load a payout, change each of its commissions, announce it, in a transaction of its own. */
async function oneByOne(): Promise<number> {
  const { rows } = await bench.client.query<{ id: string }>(`select id from payout where status = 'open' limit ${BASELINE}`);
  const started = performance.now();
  for (const { id } of rows) {
    await bench.client.query('begin');
    const { rows: found } = await bench.client.query('select * from payout where id = $1 for update', [id]);
    const { rows: commissions } = await bench.client.query(
      'select c.* from commission c join payout_item item on item.commission_id = c.id where item.payout_id = $1 for update of c',
      [id],
    );
    for (const commission of commissions)
      await bench.client.query(`update commission set state = 'paid', paid_at = now(), updated_at = now() where id = $1`, [
        commission.id,
      ]);
    await bench.client.query(`update payout set status = 'paid', paid_at = now(), updated_at = now() where id = $1`, [id]);
    await bench.client.query(
      `insert into event (id, account_id, type, subject_id, body, occurred_at) values (new_id('evt', now()), $1, 'payout.paid', $2, $3, now())`,
      [found[0].account_id, id, JSON.stringify({ ...found[0], commission_ids: commissions.map((commission) => commission.id) })],
    );
    await bench.client.query('commit');
  }
  await bench.client.query(`delete from event where type = 'payout.paid'`);
  return (rows.length * 1000) / (performance.now() - started);
}

/** Open payouts of further affiliates of the account, with a commission each; made after the run was planned, so that it leaves them alone. */
async function payoutsToPayByHand(account: string): Promise<string[]> {
  const each = `from generate_series(1, 1000) i`;
  const statements = [
    `insert into affiliate (id, account_id, campaign_id, email, state, created_at, updated_at)
     select 'aff_hand_' || i, '${account}', 'camp_bench', 'hand' || i || '@example.com', 'active', now(), now() ${each}`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
     select 'ref_hand_' || i, '${account}', 'aff_hand_' || i, 'camp_bench', 'conversion', now(), now(), now() ${each}`,
    `insert into sale (id, account_id, referral_id, affiliate_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, charged_at, created_at, updated_at)
     select 'sale_hand_' || i, '${account}', 'ref_hand_' || i, 'aff_hand_' || i, 10000, 0, 0, 'USD', now(), now(), now() ${each}`,
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, created_at, updated_at)
     select 'com_hand_' || i, '${account}', 'camp_bench', 'aff_hand_' || i, 'ref_hand_' || i, 'sale_hand_' || i, 'sale', 'due', 1000, 'USD', 1000, now(), now(), now() ${each}`,
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
     select 'payout_hand_' || i, '${account}', 'aff_hand_' || i, 'USD', 'open', 1000, 1, now(), now() ${each}`,
    `insert into payout_item (commission_id, payout_id) select 'com_hand_' || i, 'payout_hand_' || i ${each}`,
  ];
  for (const statement of statements) await bench.client.query(statement);
  return Array.from({ length: 1000 }, (_, i) => `payout_hand_${i + 1}`);
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function latencies(values: number[]): { count: number; p50_ms: number; max_ms: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50_ms: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    max_ms: Math.round(sorted.at(-1) ?? 0),
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function report(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
