import { Client } from 'pg';

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const COMMISSION_COUNTS = `select account_id, day, state, livemode, sum(n)
  from (select * from commission_count union all select * from commission_count_change) each group by 1, 2, 3, 4 having sum(n) <> 0`;

/** Tables that triggers fill during a restore. Their rows are not compared, because any rows are correct. */
const FILLED_AGAIN = ['analytics_fact', 'analytics_stale_day'];

/** Returns every row of every table as text, by table. */
export function everything(url: string): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    const found: Record<string, string[]> = {};
    for (const { name } of tables) {
      // Triggers count the restored commissions anew. The counts may be spread over different rows, so only their sums are compared.
      const source = name.startsWith('commission_count') ? `(${COMMISSION_COUNTS})` : name;
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${source} t order by 1`);
      found[name] = FILLED_AGAIN.includes(name) ? [] : rows.map(({ row }) => row);
    }
    return found;
  });
}

export const tablesOf = (url: string) => everything(url).then(Object.keys);

export async function idsOf(url: string, table: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(`select id from ${table} order by id`);
    return rows.map(({ id }) => id);
  });
}

/** SQL condition: the daily partitions of clicks, which differ between a restored and a new database. */
const OF_A_DAY = `~ '^click_d\\d{8}'`;

/** Returns the constraints, indexes and triggers, as the database describes them. */
export async function schemaOf(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ part: string }>(
      `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as part
         from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
         and not conrelid::regclass::text ${OF_A_DAY}
       union all select indexdef from pg_indexes where schemaname = 'public' and not tablename ${OF_A_DAY}
       union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
    );
    return rows.map(({ part }) => part);
  });
}
