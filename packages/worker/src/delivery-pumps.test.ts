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
