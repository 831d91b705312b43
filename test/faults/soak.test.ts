import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, startInstallation } from './storm/installation.ts';
import { Storm } from './storm/storm.ts';

/** Duration of the test in minutes: `pnpm test:soak` sets SOAK_MINUTES=60. The ordinary run skips this test. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0);
const SAMPLES = 10;
/** Factor by which memory may grow from the middle to the end of the test. It is above 1, because garbage is collected only now and then. */
const MEMORY_SLACK = 1.25;
const HANDLE_SLACK = 16;
const CONNECTION_SLACK = 4;
/** Gives about fifteen sales per second, which leaves capacity for other work on the machine. */
const SALE_PAUSE_MS = 250;
const READ_PAUSE_MS = 200;
const MEBIBYTE = 2 ** 20;

interface Sample {
  sales: number;
  /** Resident memory of `rest` and of each worker, in MiB. */
  memory: number[];
  handles: number[];
  connections: number;
  /** Tables with their indexes, in bytes. */
  tables: Map<string, number>;
}

async function sample(installation: Installation): Promise<Sample> {
  const pids = [installation.rest.child, ...installation.workers].map(({ pid }) => pid!);
  const memory = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
  });
  const handles = pids.map(async (pid) => (await readdir(`/proc/${pid}/fd`)).length);
  const [row] = await installation.ask<{ connections: number; sales: number }>(
    `select (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend') as connections,
       (select count(*)::int from sale) as sales`,
  );
  const sizes = await installation.ask<{ name: string; bytes: string }>(
    `select nspname || '.' || relname as name, pg_total_relation_size(pg_class.oid) as bytes
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname in ('public', 'pgboss')`,
  );
  return {
    ...row!,
    memory: await Promise.all(memory),
    handles: await Promise.all(handles),
    tables: new Map(sizes.map(({ name, bytes }) => [name, Number(bytes)])),
  };
}

describe.skipIf(MINUTES === 0)('mixed load for a long time', () => {
  let installation: Installation;
  let storm: Storm;
  const samples: Sample[] = [];

  beforeAll(async () => {
    installation = await startInstallation();
    storm = await Storm.begin(installation, { pauseMs: SALE_PAUSE_MS });
  }, 900_000);
  afterAll(async () => {
    await storm[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
    process.stdout.write(growth(samples));
  });

  it(
    'loses nothing, and only the records of sales grow',
    async () => {
      const outcome = await storm.weather({
        name: 'soak',
        strike: async () => {
          let isOver = false;
          const reading = storm.readUntil(() => isOver, READ_PAUSE_MS);
          for (let taken = 0; taken <= SAMPLES; taken += 1) {
            samples.push(await sample(installation));
            process.stdout.write(line(samples.at(-1)!, taken));
            if (taken < SAMPLES) await delay((MINUTES * 60_000) / SAMPLES);
          }
          isOver = true;
          await reading;
        },
      });
      expect(outcome).toMatchObject({ lost: 0, doubled: 0, undelivered: 0, unanswered: 0, problems: [], discrepancies: [] });
      const [first, middle, last] = [samples[1]!, samples[SAMPLES / 2]!, samples[SAMPLES]!];
      for (const [place, memory] of last.memory.entries()) expect(memory).toBeLessThan(middle.memory[place]! * MEMORY_SLACK);
      for (const [place, handles] of last.handles.entries()) expect(handles).toBeLessThan(middle.handles[place]! + HANDLE_SLACK);
      // Compares medians, because a burst opens additional connections for a while, so that individual samples vary.
      expect(medianOfConnections(samples.slice(SAMPLES / 2 + 1))).toBeLessThanOrEqual(
        medianOfConnections(samples.slice(1, SAMPLES / 2 + 1)) + CONNECTION_SLACK,
      );
      // The space per sale must not grow, as it would if indexes bloated or dead rows accumulated.
      const bytesPerSale = (from: Sample, to: Sample) => (total(to) - total(from)) / (to.sales - from.sales);
      expect(bytesPerSale(middle, last)).toBeLessThan(bytesPerSale(first, middle) * MEMORY_SLACK);
    },
    (MINUTES + 10) * 60_000,
  );
});

function medianOfConnections(some: readonly Sample[]): number {
  return some.map(({ connections }) => connections).toSorted((a, b) => a - b)[Math.floor(some.length / 2)]!;
}

function total({ tables }: Sample): number {
  return tables.values().reduce((sum, bytes) => sum + bytes, 0);
}

/** Formats a sample as a table row. For the first sample, the table's header precedes the row. */
function line(row: Sample, nth: number): string {
  const head = `| Minute | Sales | Memory of rest, worker, worker (MiB) | Handles | Connections | Tables and indexes (MiB) |
|---|---|---|---|---|---|
`;
  const minutes = ((nth * MINUTES) / SAMPLES).toFixed(1);
  return `${nth === 0 ? head : ''}| ${minutes} | ${row.sales} | ${row.memory.join(', ')} | ${row.handles.join(', ')} | ${row.connections} | ${(total(row) / MEBIBYTE).toFixed(1)} |
`;
}

/** Reports how much each table has grown. */
function growth(rows: readonly Sample[]): string {
  const last = rows.at(-1);
  if (!last) return '';
  const grown = [...last.tables]
    .map(([name, bytes]) => ({ name, grown: bytes - (rows[0]!.tables.get(name) ?? 0) }))
    .filter(({ grown }) => grown > 0)
    .toSorted((one, other) => other.grown - one.grown)
    .map(
      ({ name, grown }) =>
        `| ${name} | ${(grown / MEBIBYTE).toFixed(1)} | ${Math.round(grown / (last.sales - rows[0]!.sales))} |`,
    );
  return `
| Table | Grown by (MiB) | Bytes per sale |
|---|---|---|
${grown.join('\n')}
`;
}
