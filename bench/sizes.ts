/**
 * Measures how much disk a click, an affiliate and a sale take: the growth of the database with its indexes, and of the write-ahead log, divided by
 * their number. The last sales are delivered to an endpoint for all events. Prints a table. Sizes do not depend on the machine.
 *
 *   npx -y pnpm@12 bench sizes [2000]
 */
import { setTimeout } from 'node:timers/promises';
import { EVENT_TYPES, callProcedure } from '@affiliate/core';
import { newAccount, openBenchDatabase, seedEndpoints, seedLedger } from './support/dataset.ts';
import { startReceiver, startWorker } from './support/servers.ts';

const NUMBER = Number(process.argv[2] ?? 2_000);

const bench = await openBenchDatabase();
try {
  const { account_id } = await newAccount(bench.services);
  await seedLedger(bench.client, account_id, 10_000);
  const ids = async (sql: string) => (await bench.client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  const tokens = await ids('select token as id from link order by random() limit 100');
  const referrals = await ids(`select id from referral where customer_id is null order by random() limit ${NUMBER}`);
  const emails = await ids('select email as id from customer order by random() limit 100');
  const sale = (turn: number) => ({ external_id: `sizes-${turn}`, amount_cents: 10_000, currency: 'USD' });
  const works: [name: string, path: Parameters<typeof callProcedure>[1], input: (turn: number) => object][] = [
    ['click of a new visitor', 'tracking.followLink', (turn) => ({ token: tokens[turn % tokens.length], account_id })],
    ['affiliate', 'affiliates.create', (turn) => ({ email: `sizes-${turn}@new.example.com`, campaign_id: 'camp_bench' })],
    [
      'first sale of a referral',
      'tracking.recordSale',
      (turn) => ({ ...sale(turn), referral_id: referrals[turn % referrals.length] }),
    ],
    [
      'further sale of a customer',
      'tracking.recordSale',
      (turn) => ({ ...sale(turn + NUMBER), customer_email: emails[turn % emails.length] }),
    ],
  ];
  const measure = async ([name, path, input]: (typeof works)[number], end = async () => undefined as unknown) => {
    const before = await measured();
    for (let turn = 0; turn < NUMBER; turn += 1)
      await callProcedure(
        { services: bench.services, requestId: 'sizes', principal: { kind: 'system', account_id }, surface: 'v1', reply: {} },
        path,
        input(turn),
      );
    await end();
    const after = await measured();
    const each = (bytes: number) => `${(bytes / NUMBER / 1_000).toFixed(1)} kB`;
    process.stdout.write(`| ${name} | ${each(after.database - before.database)} | ${each(after.log - before.log)} |\n`);
  };
  process.stdout.write('| | Database | Write-ahead log |\n|---|---:|---:|\n');
  for (const work of works) await measure(work);
  const receiver = await startReceiver();
  await seedEndpoints(bench, { account: account_id, url: receiver.url, number: 1, types: [...EVENT_TYPES] });
  const worker = await startWorker(bench.url);
  const waiting = `select count(*)::int as number from webhook_delivery where status <> 'succeeded'`;
  const delivered = async () => {
    while ((await bench.client.query<{ number: number }>(waiting)).rows[0]!.number > 0) await setTimeout(1_000);
  };
  const [, path, input] = works.at(-1)!;
  await measure(['the same, delivered to an endpoint for all events', path, (turn) => input(turn + NUMBER)], delivered);
  await worker.stop();
  receiver.stop();
} finally {
  await bench.stop();
}

/** Returns the bytes of the database, and the position in the write-ahead log. A checkpoint first, so that both begin and end in the same state. */
async function measured(): Promise<{ database: number; log: number }> {
  await bench.client.query('checkpoint');
  const { rows } = await bench.client.query<{ database: string; log: string }>(
    `select pg_database_size(current_database())::text as database, (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as log`,
  );
  return { database: Number(rows[0]!.database), log: Number(rows[0]!.log) };
}
