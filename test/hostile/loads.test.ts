import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { LOADS, type LoadName, type Target } from '../support/loads/loads.ts';
import { measureIterations, measureReads, startLoad } from '../support/loads/neighbor.ts';
import { prepareTarget, seedBusyAccount } from '../support/loads/target.ts';
import { SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

const AFFILIATES = 4_000;
const LOAD_MS = 1_000;
/**
 * Processor time for which requests of one caller may occupy the event loop at once. `pnpm bench:neighbours` measures response times, which other
 * programs disturb.
 */
const MAX_AT_ONCE_MS = 150;
/** The loads of the ordinary run: those that once occupied the event loop for the longest time. */
const ORDINARY: readonly LoadName[] = [
  'a stranger, dense JSON over 60 connections',
  'uploads that are refused, 4 at a time',
  'eligible=true, 16 at a time',
  'CSV, 16 at a time',
  'export files, 8 at a time',
  'pipelined requests, 3,000 on each of 50 connections',
];
const names = THOROUGH ? (Object.keys(LOADS) as LoadName[]) : ORDINARY;

let service: TestService;
let other: TestAccount;
let target: Target;

beforeAll(async () => {
  service = await startService({ writesRows: true });
  const client = new Client(service.databaseUrl);
  await client.connect();
  const accountId = await seedBusyAccount(client, AFFILIATES, SECRET_KEY);
  await client.end();
  other = await service.createAccount();
  target = await prepareTarget(service.services, { url: service.url, accountId, ownerEmail: other.ownerEmail });
}, 60_000);
afterAll(() => service.stop());

/** Waits until the requests of the load that wait for their turn are answered, because they would fail after the service has stopped. */
async function untilAnswered(): Promise<void> {
  const read = () => send(`${service.url}/api/v1/payouts?eligible=true`, 'GET', { headers: target.headers });
  // After too many pipelined requests, the network of the load gets no connections for a moment.
  await expect
    .poll(
      () =>
        read()
          .then(({ status }) => status)
          .catch(() => 0),
      { timeout: 30_000 },
    )
    .toBe(200);
}

describe('while one caller puts load on the process', () => {
  it.each(names)(
    'another account can read: %s',
    async (name) => {
      const load = await startLoad(name, target);
      await setTimeout(300);
      // A collection of what other tests of this process have left would count as time of the load.
      globalThis.gc!();
      const iterations = measureIterations();
      // Fails if a read is refused.
      const { reads } = await measureReads(service.url, other.api.headers, LOAD_MS);
      const atOnceMs = iterations.stop();
      await load.stop();
      await untilAnswered();
      expect(reads).toBeGreaterThan(0);
      expect(atOnceMs).toBeLessThan(MAX_AT_ONCE_MS);
    },
    60_000,
  );
});
