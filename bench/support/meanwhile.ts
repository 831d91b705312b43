import { setTimeout as sleep } from 'node:timers/promises';
import { issueApiKey } from '@affiliate/core';
import { Pool } from 'undici';
import type { BenchDatabase } from './dataset.ts';
import { startService } from './servers.ts';

/** Minimum time between the starts of two requests of the same kind. */
const EVERY_MS = 50;
const IDLE_MS = 15_000;

/** Response times in milliseconds. */
interface Latencies {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

interface Meanwhile {
  before: Latencies;
  busy: Latencies;
  after: Latencies;
  ratio: number;
}

/**
 * A `rest` process that serves a steady trickle of requests for one account: reads, lists, sales and new affiliates. At most one request of
 * each kind runs at a time.
 */
export interface Trickle {
  /**
   * Measures the response times of each kind of request before, during and after `work`. `ratio` is the 99th percentile during `work`,
   * divided by the 99th percentile before. If requests after `work` are as slow as during `work`, they are slow because there are more
   * records.
   */
  during<T>(work: () => Promise<T>): Promise<{ outcome: T; meanwhile: Record<string, Meanwhile> }>;
  stop(): Promise<void>;
}

/** Starts the process and measures its response times without other work. The account must have the records of `seedProgram`. */
export async function startTrickle(bench: BenchDatabase, accountId: string): Promise<Trickle> {
  const { api_key } = await issueApiKey(bench.services, { accountId, name: 'Bench', permissions: { all: true } });
  const { rows } = await bench.client.query<{ id: string }>('select id from referral order by random() limit 10000');
  const server = await startService(bench.url);
  const pool = new Pool(server.origin, { connections: 4 });
  const headers = { 'x-api-key': api_key, 'x-account-id': accountId, 'content-type': 'application/json' };
  let made = 0;
  const post = (path: string, body: object) => ({ method: 'POST', path, headers, body: JSON.stringify(body) }) as const;
  const get = (path: string) => ({ method: 'GET', path, headers }) as const;
  const kinds = {
    read: () => get(`/api/v1/commissions/com_${1 + (made % 1000)}`),
    list: () => get('/api/v1/payouts?limit=25'),
    sale: () =>
      post('/track/sales', {
        external_id: `meanwhile-${made}`,
        referral_id: rows[made % rows.length]!.id,
        amount_cents: 10_000,
        currency: 'USD',
      }),
    create: () => post('/api/v1/affiliates', { email: `meanwhile-${made}@new.example.com`, campaign_id: 'camp_bench' }),
  };
  const send = async (make: () => Parameters<Pool['request']>[0]): Promise<number> => {
    made += 1;
    const start = performance.now();
    const { statusCode, body } = await pool.request(make());
    const text = await body.text();
    if (statusCode >= 400) throw new Error(`${statusCode}: ${text}`);
    return performance.now() - start;
  };
  const trickle = async (isOver: () => boolean): Promise<Record<string, number[]>> => {
    const of = async ([kind, make]: [string, () => Parameters<Pool['request']>[0]]) => {
      const times: number[] = [];
      while (!isOver()) {
        const time = await send(make);
        times.push(time);
        await sleep(Math.max(1, EVERY_MS - time));
      }
      return [kind, times] as const;
    };
    return Object.fromEntries(await Promise.all(Object.entries(kinds).map(of)));
  };
  const idleFor = (ms: number) => {
    const end = performance.now() + ms;
    return trickle(() => performance.now() >= end);
  };
  await idleFor(3_000);
  const timesBefore = await idleFor(IDLE_MS);
  return {
    during: async (work) => {
      let isOver = false;
      const working = work().finally(() => (isOver = true));
      const [outcome, busy] = await Promise.all([working, trickle(() => isOver)]);
      const timesAfter = await idleFor(IDLE_MS);
      const meanwhile = Object.keys(kinds).map((kind): [string, Meanwhile] => {
        const [before, during, after] = [timesBefore, busy, timesAfter].map((times) => latenciesOf(times[kind]!)) as [
          Latencies,
          Latencies,
          Latencies,
        ];
        return [kind, { before, busy: during, after, ratio: Number((during.p99 / before.p99).toFixed(1)) }];
      });
      return { outcome, meanwhile: Object.fromEntries(meanwhile) };
    },
    stop: async () => {
      await pool.close();
      await server.stop();
    },
  };
}

function latenciesOf(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
