/**
 * Measures sales per second in a campaign with 50 reward rules, each sale with 10 lines, and in a campaign without rules, in alternating rounds on
 * one `rest` process. Prints both and their ratio.
 *
 *   npx -y pnpm@12 bench rewards [--rounds 3] [--seconds 5] [--connections 32]
 *
 * Runs on Linux only, because it reads processor times from /proc.
 */
import { parseArgs } from 'node:util';
import { newAccount, openBenchDatabase } from './support/dataset.ts';
import { measure, type Request, type Round, warmUp } from './support/load.ts';
import { type Server, startService } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
  },
});
const [rounds, seconds, connections] = [options.rounds, options.seconds, options.connections].map(Number) as [
  number,
  number,
  number,
];
const RULES = 50;
const LINES = 10;
/** Sales of one affiliate wait for each other. */
const AFFILIATES = 64;
const WARM_UP_SECONDS = 5;

const bench = await openBenchDatabase();
let server: Server | undefined;
try {
  const { account_id, api_key } = await newAccount(bench.services);
  const started = await startService(bench.url);
  server = started;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${api_key}`, 'X-Account-Id': account_id };
  const create = async (path: string, body: object): Promise<{ id: string }> => {
    const reply = await fetch(`${started.origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as { id: string };
  };

  let sales = 0;
  /** Creates a campaign with affiliates. Returns a function that makes reports of sales to customers of all of them in turn. */
  const campaignWith = async (name: string, rules: number): Promise<() => Request> => {
    const terms = { reward_type: 'percent', commission_percent: 10 };
    const { id: campaign_id } = await create('/campaigns', { name, url: 'https://shop.example.com/', ...terms });
    for (let i = 0; i < rules; i += 1)
      await create('/reward_rules', { campaign_id, name: `Rule ${i}`, when: { products: [`prod_${i}`] }, pay: { percent: 20 } });
    const referrals: string[] = [];
    for (let i = 0; i < AFFILIATES; i += 1) {
      const { id: affiliate_id } = await create('/affiliates', { campaign_id, email: `${name}-${i}@partner.example` });
      referrals.push((await create('/referrals', { campaign_id, affiliate_id })).id);
    }
    const lines = Array.from({ length: LINES }, (_, i) => ({ product: `prod_${i * (RULES / LINES)}`, amount_cents: 1_000 }));
    return () => {
      sales += 1;
      const sale = {
        external_id: `bench-${sales}`,
        referral_id: referrals[sales % AFFILIATES],
        amount_cents: 10_000,
        currency: 'USD',
      };
      return { method: 'POST', path: '/track/sales', headers, body: JSON.stringify(rules === 0 ? sale : { ...sale, lines }) };
    };
  };

  const makers = { plain: await campaignWith('plain', 0), rules: await campaignWith('rules', RULES) };
  const measured: Record<keyof typeof makers, Round[]> = { plain: [], rules: [] };
  for (const make of Object.values(makers)) await warmUp(server, make, { seconds: WARM_UP_SECONDS, connections });
  // As autovacuum does within a minute. Otherwise plans that were made for empty tables would slow down both kinds of sale.
  await bench.client.query('vacuum analyze');
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['plain', 'rules'] as const)
      measured[name].push(await measure(server, makers[name], { seconds, connections }));
  const [plain, rules] = [middle(measured.plain), middle(measured.rules)];
  process.stdout.write(
    '| sale | sales/s | p50 ms | p99 ms | statements | CPU ms: node + database |\n|---|---:|---:|---:|---:|---:|\n',
  );
  for (const [name, round] of Object.entries({ 'without rules': plain, [`${RULES} rules, ${LINES} lines`]: rules })) {
    const { perSecond, p50, p99, statements, serverMs, databaseMs } = round;
    const cells = [name, Math.round(perSecond), p50.toFixed(1), p99.toFixed(1), statements.toFixed(1)];
    process.stdout.write(`| ${[...cells, `${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)}`].join(' | ')} |\n`);
  }
  process.stdout.write(`\nratio ${(rules.perSecond / plain.perSecond).toFixed(2)}\n`);
} finally {
  await server?.stop();
  await bench.stop();
}

/** Returns the round with the median rate. */
function middle(all: readonly Round[]): Round {
  return all.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(all.length / 2)]!;
}
