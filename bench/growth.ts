/**
 * Measures what requests cost PostgreSQL as a program grows: the number of 8 kB blocks that one request reads from memory or disk, for
 * ledgers of several sizes. Unlike times, blocks do not depend on the machine or on other load. Prints a table.
 *
 *   npx -y pnpm@12 bench growth [10000 100000 1000000]
 */
import { callProcedure, openDatabase, type Services } from '@affiliate/core';
import { blocksSoFar } from './support/blocks.ts';
import { type BenchDatabase, openBenchDatabase, seedLedger, newAccount } from './support/dataset.ts';
import { listWorks, seedLongLists } from './support/long-lists.ts';

const TIMES = 40;
const given = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const SIZES = given.length > 0 ? given : [10_000, 100_000, 1_000_000];

interface Work {
  name: string;
  path: Parameters<typeof callProcedure>[1];
  input: (turn: number) => object;
}

const table = new Map<string, number[]>();
for (const size of SIZES) {
  process.stderr.write(`seeding ${size} commissions\n`);
  const bench = await openBenchDatabase();
  try {
    const { account_id } = await newAccount(bench.services);
    await bench.client.query('alter system set autovacuum = off');
    await bench.client.query('select pg_reload_conf()');
    await seedLedger(bench.client, account_id, size);
    await measureAll(bench, account_id, await worksOf(bench));
    await seedLongLists(bench.client, account_id, size);
    await measureAll(bench, account_id, await longListsOf(bench));
  } finally {
    await bench.stop();
  }
}
const heads = SIZES.map((size) => size.toLocaleString('en'));
process.stdout.write(`| blocks of a request | ${heads.join(' | ')} |\n|---|${'---:|'.repeat(SIZES.length)}\n`);
for (const [name, blocks] of table)
  process.stdout.write(`| ${name} | ${blocks.map((each) => Math.round(each).toLocaleString('en')).join(' | ')} |\n`);

async function measureAll(bench: BenchDatabase, accountId: string, works: readonly Work[]): Promise<void> {
  for (const work of works) {
    const blocks = await measure(bench, accountId, work);
    table.set(work.name, [...(table.get(work.name) ?? []), blocks]);
  }
}

/** Returns pages by cursor, searches and filters, all without the total, in an account with as many records of each kind as commissions. */
async function longListsOf({ client }: BenchDatabase): Promise<Work[]> {
  const pages = [];
  for (const share of [0.001, 0.5, 0.9]) {
    const { rows } = await client.query<{ id: string }>(
      'select id from commission order by id desc offset (select (count(*) * $1::float)::int from commission) limit 1',
      [share],
    );
    pages.push({
      name: `commissions by cursor, behind ${share * 100} % of all`,
      path: 'commissions.list' as const,
      input: () => ({ starting_after: rows[0]!.id, include_total: false }),
    });
  }
  const filters = (await listWorks(client)).map(({ name, list, query }) => ({
    name,
    path: `${list}.list` as const,
    input: (turn: number) => ({ ...query(turn), include_total: false }),
  }));
  return [...pages, ...filters];
}

async function worksOf({ client }: BenchDatabase): Promise<Work[]> {
  const ids = async (sql: string) => (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  const commissions = await ids('select id from commission order by random() limit 100');
  const referrals = await ids(`select id from referral where customer_id is null order by random() limit 100`);
  const emails = await ids('select email as id from customer order by random() limit 100');
  const partners = await ids('select email as id from affiliate order by random() limit 100');
  const tokens = await ids('select token as id from link order by random() limit 100');
  const [since] = await ids(
    `select wire_time(updated_at) as id from commission where state = 'paid' order by updated_at desc offset 1000 limit 1`,
  );
  const of = (values: string[], turn: number) => values[turn % values.length]!;
  const sale = (turn: number) => ({ external_id: `growth-${turn}`, amount_cents: 10_000, currency: 'USD' });
  return [
    { name: 'one commission, expanded', path: 'commissions.get', input: (turn) => ({ id: of(commissions, turn) }) },
    {
      name: 'list 25 commissions, 1,000 match',
      path: 'commissions.list',
      input: () => ({ state: ['paid'], updated_since: since }),
    },
    { name: 'list 25 commissions, half of all match', path: 'commissions.list', input: () => ({ state: ['paid'] }) },
    { name: 'list 25 affiliates', path: 'affiliates.list', input: () => ({}) },
    // The seeded addresses are c0@example.com, c1@example.com, and so on.
    { name: 'search customers, some match', path: 'customers.list', input: (turn) => ({ q: `c${10 + (turn % 90)}` }) },
    { name: 'search customers by a whole address', path: 'customers.list', input: (turn) => ({ q: of(emails, turn) }) },
    { name: 'search sales by a customer', path: 'sales.list', input: (turn) => ({ q: of(emails, turn) }) },
    { name: 'search affiliates by an address', path: 'affiliates.list', input: (turn) => ({ q: of(partners, turn) }) },
    {
      name: 'list 25 commissions, expanded two levels',
      path: 'commissions.list',
      input: () => ({ expand: ['sale.customer'], include_total: false }),
    },
    { name: 'list 25 eligible payouts', path: 'payouts.list', input: () => ({ eligible: true, page: 1, limit: 25 }) },
    {
      name: 'create affiliate',
      path: 'affiliates.create',
      input: (turn) => ({ email: `growth-${turn}@new.example.com`, campaign_id: 'camp_bench' }),
    },
    {
      name: 'sale with a referral',
      path: 'tracking.recordSale',
      input: (turn) => ({ ...sale(turn), referral_id: of(referrals, turn) }),
    },
    {
      name: 'sale of a customer with 20 sales',
      path: 'tracking.recordSale',
      input: (turn) => ({ ...sale(turn + 1_000), customer_email: of(emails, turn) }),
    },
    {
      name: 'click on a link',
      path: 'tracking.followLink',
      input: (turn) => ({ token: of(tokens, turn) }),
    },
  ];
}

/**
 * Returns the number of blocks that one request reads. Sends a few requests over one new connection, then many requests over another, and computes
 * the result from the difference, so that the blocks read to open a connection do not count.
 */
async function measure(bench: BenchDatabase, accountId: string, work: Work): Promise<number> {
  const few = await blocksOf(bench, accountId, work, [0, TIMES]);
  const many = await blocksOf(bench, accountId, work, [TIMES, 4 * TIMES]);
  return (many - few) / (2 * TIMES);
}

async function blocksOf(
  { url, services, client }: BenchDatabase,
  accountId: string,
  { path, input }: Work,
  [from, to]: [number, number],
): Promise<number> {
  const before = await blocksSoFar(client);
  const database = await openDatabase({ url, poolSize: 1 });
  const own: Services = { ...services, database };
  for (let turn = from; turn < to; turn += 1) {
    const given = { ...input(turn), ...(path === 'tracking.followLink' && { account_id: accountId }) };
    await callProcedure(
      {
        services: own,
        requestId: 'growth',
        principal: { kind: 'system', account_id: accountId },
        surface: 'v1',
        reply: {},
      },
      path,
      given,
    );
  }
  await database.close();
  return (await blocksSoFar(client)) - before;
}
