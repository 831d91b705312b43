import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Batched } from './batched.ts';

/** Returns a batch function and its calls. Each call runs until the test ends it. */
function heldCalls() {
  const calls: { items: number[]; end: PromiseWithResolvers<string[]> }[] = [];
  const run = (items: number[]) => {
    const end = Promise.withResolvers<string[]>();
    calls.push({ items, end });
    return end.promise;
  };
  return { calls, run };
}

it('puts the items of one turn of the event loop into one call, and returns the result of each', async () => {
  const batched = new Batched(async (items: number[]) => items.map((item) => `result ${item}`), { size: 10 });
  expect(await Promise.all([batched.add(1), batched.add(2)])).toEqual(['result 1', 'result 2']);
});

it('puts items that arrive during a call into the next call', async () => {
  const { calls, run } = heldCalls();
  const batched = new Batched(run, { size: 10 });
  const first = batched.add(1);
  await setImmediate();
  const others = [batched.add(2), batched.add(3)];
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([[1]]);
  calls[0]!.end.resolve(['a']);
  expect(await first).toBe('a');
  await setImmediate();
  calls[1]!.end.resolve(['b', 'c']);
  expect(await Promise.all(others)).toEqual(['b', 'c']);
});

it('never puts more items into a call than its size', async () => {
  const sizes: number[] = [];
  const batched = new Batched(
    async (items: number[]) => {
      sizes.push(items.length);
      return items;
    },
    { size: 3 },
  );
  await Promise.all(Array.from({ length: 7 }, (_, index) => batched.add(index)));
  expect(sizes).toEqual([3, 3, 1]);
});

it('does not wait for further items once the batch is full', async () => {
  const batched = new Batched(async (items: number[]) => items, { size: 2, collectMs: 3_600_000 });
  expect(await Promise.all([batched.add(1), batched.add(2)])).toEqual([1, 2]);
});

it('rejects the items of a call that fails, and continues with the next call', async () => {
  const { calls, run } = heldCalls();
  const batched = new Batched(run, { size: 2 });
  const settled = Promise.allSettled([batched.add(1), batched.add(2), batched.add(3)]);
  await setImmediate();
  calls[0]!.end.reject(new Error('lost'));
  await setImmediate();
  await setImmediate();
  calls[1]!.end.resolve(['c']);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
