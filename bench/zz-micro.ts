import { createAccount, callProcedure } from '@affiliate/core';
import { openBenchDatabase, seedLedger } from './dataset.ts';
import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
const bench = await openBenchDatabase();
const { account_id } = await createAccount(bench.services, { name: 'B', currency: 'USD', ownerEmail: 'o@example.com', ownerPassword: 'correct horse battery staple' });
await seedLedger(bench.client, account_id, 5000);
const ids = async (sql: string) => (await bench.client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
const referrals = await ids('select id from referral where customer_id is null order by random() limit 10000');
const tokens = await ids('select token as id from link order by random() limit 10000');
let n = 0;
const call = (path: string, input: unknown) => callProcedure({ services: bench.services, requestId: 'r', principal: { kind: 'system', account_id }, surface: 'v1', reply: {} } as never, path as never, input);
const works: Record<string, () => Promise<unknown>> = {
  sale: () => call('tracking.recordSale', { external_id: `e${(n += 1)}`, referral_id: referrals[n % referrals.length], amount_cents: 10_000, currency: 'USD' }),
  create: () => call('affiliates.create', { email: `x${(n += 1)}@example.com`, campaign_id: 'camp_bench' }),
  click: () => call('tracking.followLink', { token: tokens[(n += 1) % tokens.length], account_id }),
  list: () => call('commissions.list', { state: ['paid'] }),
};
const only = (process.argv[2] ?? 'sale').split(',');
const count = Number(process.argv[3] ?? 1500);
for (const key of only) {
  for (let i = 0; i < 300; i += 1) await works[key]!();
  const results: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const cpu = process.cpuUsage();
    for (let i = 0; i < count / 3; i += 1) await works[key]!();
    const { user, system } = process.cpuUsage(cpu);
    results.push((user + system) / 1000 / (count / 3));
  }
  console.log(key, results.map((r) => r.toFixed(3)).join(' '), 'ms');
  if (process.argv[4]) {
    const session = new Session(); session.connect();
    await session.post('Profiler.enable'); await session.post('Profiler.start');
    for (let i = 0; i < count; i += 1) await works[key]!();
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(`/tmp/sp/${key}.cpuprofile`, JSON.stringify(profile));
  }
}
await bench.stop();
process.exit();
