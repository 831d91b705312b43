import type { DueEndpoint, Logger } from '@affiliate/core';
import { expect, it } from 'vitest';
import { DeliveryPumps, type PumpLimits } from './delivery-pumps.ts';
import type { PumpResult } from './endpoint-pump.ts';

const LOG: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts `DeliveryPumps` whose pumps run until the test ends them. */
function startPumps(limits: Partial<PumpLimits> = {}) {
  const running = new Map<string, PromiseWithResolvers<PumpResult>>();
  const started: string[] = [];
  const takingNoMore = new Set<string>();
  const start = (id: string) => {
    const end = Promise.withResolvers<PumpResult>();
    running.set(id, end);
    started.push(id);
    return { ended: end.promise.finally(() => running.delete(id)), wake: () => !takingNoMore.has(id) };
  };
  const pumps = new DeliveryPumps(start, LOG, { total: 2, failing: 1, perAccount: 2, ...limits });
  const end = async (id: string, result: PumpResult) => {
    running.get(id)!.resolve(result);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { pumps, started, end, running, takingNoMore };
}

const endpoint = (id: string, account_id = id, failing = false): DueEndpoint => ({ id, account_id, failing });

it('starts as many pumps as the limit allows, and more as slots become free', async () => {
  const { pumps, started, end } = startPumps();
  pumps.wake([endpoint('a'), endpoint('b'), endpoint('c'), endpoint('d')]);
  expect(started).toEqual(['a', 'b']);
  expect(pumps.mustYield('a')).toBe(true);
  await end('b', 'drained');
  await end('a', 'drained');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(pumps.mustYield('c')).toBe(false);
});

it('queues an endpoint that yields behind the endpoints that already wait', async () => {
  const { pumps, started, end } = startPumps({ total: 1 });
  pumps.wake([endpoint('a'), endpoint('b')]);
  await end('a', 'yielded');
  await end('b', 'drained');
  expect(started).toEqual(['a', 'b', 'a']);
});

it('runs an endpoint again that was woken after its pump took the last deliveries, unless the receiver fails', async () => {
  const { pumps, started, end, takingNoMore } = startPumps();
  pumps.wake([endpoint('a'), endpoint('b')]);
  takingNoMore.add('a').add('b');
  pumps.wake([endpoint('a'), endpoint('b')]);
  expect(started).toEqual(['a', 'b']);
  await end('a', 'drained');
  await end('b', 'failing');
  expect(started).toEqual(['a', 'b', 'a']);
  await end('a', 'drained');
  expect(started).toEqual(['a', 'b', 'a']);
});

it('notifies a running pump of more deliveries instead of starting it again', async () => {
  const { pumps, started, end } = startPumps();
  pumps.wake([endpoint('a')]);
  pumps.wake([endpoint('a')]);
  await end('a', 'drained');
  expect(started).toEqual(['a']);
});

it('reserves slots for working endpoints, however many others fail', () => {
  const { pumps, started } = startPumps({ total: 3 });
  pumps.wake([endpoint('a', 'a', true), endpoint('b', 'b', true), endpoint('c')]);
  expect(started).toEqual(['a', 'c']);
  expect(pumps.mustYield('c')).toBe(false);
});

it('reserves slots for other accounts', async () => {
  const { pumps, started, end } = startPumps({ total: 3, perAccount: 1 });
  pumps.wake([endpoint('a1', 'a'), endpoint('a2', 'a'), endpoint('b1', 'b')]);
  expect(started).toEqual(['a1', 'b1']);
  expect(pumps.mustYield('a1')).toBe(true);
  expect(pumps.mustYield('b1')).toBe(false);
  await end('a1', 'drained');
  expect(started).toEqual(['a1', 'b1', 'a2']);
});

it('survives a pump that throws', async () => {
  const { pumps, started, running } = startPumps({ total: 1 });
  pumps.wake([endpoint('a'), endpoint('b')]);
  running.get('a')!.reject(new Error('The database is down'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['a', 'b']);
});

it('starts no pump after it was stopped, and resolves when the last pump has ended', async () => {
  const { pumps, started, end } = startPumps({ total: 1 });
  pumps.wake([endpoint('a'), endpoint('b')]);
  pumps.stop();
  pumps.wake([endpoint('c')]);
  const idle = pumps.idle();
  await end('a', 'yielded');
  await idle;
  expect(started).toEqual(['a']);
});

it('gives the other accounts their turns, whatever number of endpoints of one account wait', async () => {
  const { pumps, started, end } = startPumps({ total: 2, perAccount: 1 });
  pumps.wake([endpoint('a1', 'a'), endpoint('a2', 'a'), endpoint('a3', 'a'), endpoint('b1', 'b'), endpoint('c1', 'c')]);
  expect(started).toEqual(['a1', 'b1']);
  await end('a1', 'yielded');
  expect(started).toEqual(['a1', 'b1', 'c1']);
  await end('b1', 'drained');
  await end('a2', 'drained');
  await end('a3', 'drained');
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a1']);
});

it('starts a working endpoint of an account whose other waiting endpoints fail', async () => {
  const { pumps, started, end } = startPumps({ total: 3, perAccount: 1 });
  pumps.wake([endpoint('a1', 'a'), endpoint('a2', 'a', true), endpoint('a3', 'a'), endpoint('b1', 'b', true)]);
  expect(started).toEqual(['a1', 'b1']);
  await end('a1', 'drained');
  expect(started).toEqual(['a1', 'b1', 'a3']);
  await end('a3', 'drained');
  await end('b1', 'failing');
  expect(started).toEqual(['a1', 'b1', 'a3', 'a2']);
});

it('runs every endpoint of a large account, without a search through all of them at each start', async () => {
  let isRunning = 0;
  let most = 0;
  const ids = new Set<string>();
  const start = (id: string) => {
    ids.add(id);
    isRunning += 1;
    most = Math.max(most, isRunning);
    const ended = Promise.resolve('drained' as const).finally(() => (isRunning -= 1));
    return { ended, wake: () => true };
  };
  const pumps = new DeliveryPumps(start, LOG);
  const startedAt = performance.now();
  pumps.wake(Array.from({ length: 20_000 }, (_, index) => endpoint(`e${index}`, 'a', index % 3 === 0)));
  await pumps.idle();
  expect(ids.size).toBe(20_000);
  expect(most).toBeLessThanOrEqual(48);
  // A search takes a minute.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
