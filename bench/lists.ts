/**
 * Measures lists of one `rest` process in a large account: pages by cursor near the beginning and far behind it, searches and filters. Requests are
 * sent one after the other. Prints a table of the times of pages, and one of the times of filters with the number of records that match.
 *
 *   npx -y pnpm@12 bench lists [commissions, default 1000000]
 */
import { openBenchDatabase, newAccount, seedLedger } from './support/dataset.ts';
import { type ListQuery, listWorks, seedLongLists } from './support/long-lists.ts';
import { startService } from './support/servers.ts';

const [size = 1_000_000] = process.argv
  .slice(2)
  .map(Number)
  .filter((each) => each > 0);
const ROUNDS = 40;
const WARM_UP = 10;
const LIMIT = 25;
/** Numbers of the measured pages. The ledger has pages enough for the last one, because it also has commissions that were entered by hand. */
const PAGES = [1, size / 1_000, size / LIMIT].map(Math.round);
/** Orders in which the pages are read. */
const SORTS = ['-created_at', 'updated_at', '-updated_at'];

interface Listed {
  pagination: { next_cursor: string | null; total_count?: number; count: number };
}

const bench = await openBenchDatabase();
const { account_id, api_key } = await newAccount(bench.services);
process.stderr.write(`seeding ${size} commissions\n`);
await seedLedger(bench.client, account_id, size);
await seedLongLists(bench.client, account_id, size);
const service = await startService(bench.url);
try {
  const pages = [];
  for (const sort of SORTS) {
    const queries: ListQuery[] = [];
    for (const page of PAGES) queries.push({ sort, limit: LIMIT, ...(await cursorOf(sort, page)) });
    const each = await timesOf(queries);
    const times = each.map(({ fastest }) => fastest);
    pages.push([`\`${sort}\``, ...each.map(shown), (Math.max(...times) / Math.min(...times)).toFixed(2)]);
  }
  print(
    [
      'commissions by cursor: fastest / median ms',
      ...PAGES.map((page) => `page ${page.toLocaleString('en')}`),
      'ratio of the fastest',
    ],
    pages,
  );

  const filters = [];
  for (const { name, list, query } of await listWorks(bench.client)) {
    const { pagination } = await get(list, query(0));
    const [counted] = await timesOf([query], list);
    const [uncounted] = await timesOf([(turn: number) => ({ ...query(turn), include_total: false })], list);
    filters.push([name, (pagination.total_count ?? pagination.count).toLocaleString('en'), shown(counted!), shown(uncounted!)]);
  }
  print(['list of 25', 'match', 'with total: fastest / median ms', 'without total: fastest / median ms'], filters);
} finally {
  await service.stop();
  await bench.stop();
}

/** Returns the position of a page, as a program has it that has read the pages before. */
async function cursorOf(sort: string, page: number): Promise<ListQuery> {
  if (page === 1) return {};
  const { pagination } = await get('commissions', { sort, limit: LIMIT, page: page - 1 });
  return { starting_after: pagination.next_cursor! };
}

async function get(list: string, query: ListQuery): Promise<Listed> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const response = await fetch(`${service.origin}/api/v1/${list}?${search.toString()}`, {
    headers: { 'x-api-key': api_key, 'x-account-id': account_id },
  });
  const body = (await response.json()) as Listed;
  if (!response.ok) throw new Error(`${list}?${search.toString()} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

/** Times of requests, in ms. Other load of the machine affects the fastest one least. */
interface Times {
  fastest: number;
  p50: number;
}

/** Sends the requests in turn, in rounds, so that other load of the machine affects them alike. Returns the times of each. */
async function timesOf(queries: (ListQuery | ((turn: number) => ListQuery))[], list = 'commissions'): Promise<Times[]> {
  const times = queries.map((): number[] => []);
  for (let turn = 0; turn < WARM_UP + ROUNDS; turn += 1)
    for (const [i, query] of queries.entries()) {
      const start = performance.now();
      await get(list, typeof query === 'function' ? query(turn) : query);
      if (turn >= WARM_UP) times[i]!.push(performance.now() - start);
    }
  return times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b);
    return { fastest: sorted[0]!, p50: sorted[Math.floor(ROUNDS / 2)]! };
  });
}

function shown({ fastest, p50 }: Times): string {
  return `${fastest.toFixed(1)} / ${p50.toFixed(1)}`;
}

function print(heads: string[], rows: string[][]): void {
  const lines = [heads, heads.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`);
}
