/**
 * Measures how fast one sweep makes a million commissions due, compared with making them due one at a time. Also compares the response times of
 * requests for the same account during the sweep and before the sweep. Everything is measured in one run on one database. The ratios are comparable
 * between machines, the rates are not.
 *
 *   npx -y pnpm@12 bench due-sweep [commissions]
 */
import { bulkWork } from './support/bulk-work.ts';
import { openBenchDatabase, seedProgram } from './support/dataset.ts';
import { startTrickle } from './support/meanwhile.ts';

const COMMISSIONS = Number(process.argv[2] ?? 1_000_000);
const AFFILIATES = Math.ceil(COMMISSIONS / 20);
const BASELINE = 500;

const bench = await openBenchDatabase();
try {
  const account = await seedProgram(bench.client, { affiliates: AFFILIATES, commissions: COMMISSIONS });
  const baseline = await oneByOne();
  const trickle = await startTrickle(bench, account);
  await bench.client.query('checkpoint');
  const { outcome: swept, meanwhile } = await trickle.during(() => bulkWork({ url: bench.url, account, work: 'sweep' }));
  await trickle.stop();
  const commissions = Number(swept.outcome);
  const perSecond = commissions / swept.seconds;
  const { rows } = await bench.client.query(
    `select count(*)::int as payouts, sum(amount_cents)::bigint as cents from payout where status = 'open'`,
  );
  report({
    commissions,
    seconds: swept.seconds,
    per_second: Math.round(perSecond),
    one_by_one_per_second: Math.round(baseline),
    ratio: Number((perSecond / baseline).toFixed(1)),
    peak_rss_mb: swept.peak_rss_mb,
    ...rows[0],
    meanwhile,
  });
} finally {
  await bench.stop();
}

/** Marks commissions as due in the naive way: loads each commission, changes it and adds it to its payout, in a transaction of its own. */
async function oneByOne(): Promise<number> {
  const { rows } = await bench.client.query<{ id: string }>(
    `select id from commission where state = 'pending' limit ${BASELINE}`,
  );
  const started = performance.now();
  for (const { id } of rows) {
    await bench.client.query('begin');
    const found = await bench.client.query('select * from commission where id = $1 for update', [id]);
    const commission = found.rows[0];
    await bench.client.query(`update commission set state = 'due', updated_at = now() where id = $1`, [id]);
    const payout = await bench.client.query(
      `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
       values (new_id('payout', now()), $1, $2, 'USD', 'open', $3, 1, now(), now())
       on conflict (account_id, affiliate_id, currency, livemode) where status = 'open' do update set amount_cents = payout.amount_cents + excluded.amount_cents,
         commissions_count = payout.commissions_count + 1 returning id`,
      [commission.account_id, commission.affiliate_id, commission.amount_cents],
    );
    await bench.client.query('insert into payout_item values ($1, $2)', [id, payout.rows[0].id]);
    await bench.client.query(
      `insert into event (id, account_id, sequence, type, subject_id, body, occurred_at) values (new_id('evt', now()), $1, (random() * 9e15)::bigint, 'commission.due', $2, $3, now())`,
      [commission.account_id, id, JSON.stringify(commission)],
    );
    await bench.client.query('commit');
  }
  return rows.length / ((performance.now() - started) / 1000);
}

function report(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}
