/**
 * Measures how fast a payout run plans and pays 50,000 affiliates with 1,000,000 commissions, compared with paying one payout at a time. Also
 * measures response times of requests for the same account during the run, compared with the same requests before the run. Everything is measured in
 * one go on one database. The ratios are comparable between machines, the rates are not.
 *
 *   npx -y pnpm@12 bench payout-runs [affiliates] [commissions]
 */
import { appRouter, createCallerFactory } from '@affiliate/core';
import { bulkWork } from './support/bulk-work.ts';
import { openBenchDatabase, seedOpenPayouts, seedProgram } from './support/dataset.ts';
import { startTrickle } from './support/meanwhile.ts';

const AFFILIATES = Number(process.argv[2] ?? 50_000);
const COMMISSIONS = Number(process.argv[3] ?? 1_000_000);
/** Number of payouts that are paid one at a time. */
const BASELINE = 200;

const bench = await openBenchDatabase();
try {
  const account = await seedProgram(bench.client, { affiliates: AFFILIATES, commissions: COMMISSIONS });
  await seedOpenPayouts(bench.client);
  const baseline = await oneByOne();
  const { payoutRuns } = createCallerFactory(appRouter)({
    services: bench.services,
    requestId: 'bench',
    principal: { kind: 'system', account_id: account },
    surface: 'v1',
    reply: {},
  });
  const trickle = await startTrickle(bench, account);
  await bench.client.query('checkpoint');

  const { outcome, meanwhile } = await trickle.during(async () => {
    const task = { url: bench.url, account };
    const planned = await bulkWork({ ...task, work: 'plan' });
    return { planned, executed: await bulkWork({ ...task, work: 'execute', run: String(planned.outcome) }) };
  });
  await trickle.stop();
  const { planned, executed } = outcome;
  const { items_total, state } = await payoutRuns.get({ id: String(planned.outcome) });
  const perSecond = items_total / executed.seconds;

  const { rows } = await bench.client.query(
    `select count(*)::int as events, count(distinct subject_id)::int as payouts_announced from event where type = 'payout.paid'`,
  );
  const { discrepancies } = await payoutRuns.reconcile({});
  report({
    affiliates: items_total,
    commissions: COMMISSIONS,
    plan_seconds: planned.seconds,
    execute_seconds: executed.seconds,
    payouts_per_second: Math.round(perSecond),
    one_by_one_per_second: Math.round(baseline),
    ratio: Number((perSecond / baseline).toFixed(1)),
    peak_rss_mb: Math.max(planned.peak_rss_mb, executed.peak_rss_mb),
    state,
    discrepancies: discrepancies.length,
    ...rows[0],
    meanwhile,
  });
} finally {
  await bench.stop();
}

/** Pays payouts the naive way: loads a payout, changes each of its commissions and writes their events, in a transaction per payout. */
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
      `insert into event (id, account_id, sequence, type, subject_id, body, occurred_at) values (new_id('evt', now()), $1, (random() * 9e15)::bigint, 'payout.paid', $2, $3, now())`,
      [found[0].account_id, id, JSON.stringify({ ...found[0], commission_ids: commissions.map((commission) => commission.id) })],
    );
    await bench.client.query('commit');
  }
  await bench.client.query(`delete from event where type = 'payout.paid'`);
  return (rows.length * 1000) / (performance.now() - started);
}

function report(result: object): void {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
