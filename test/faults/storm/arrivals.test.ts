import { afterEach, beforeEach, expect, it } from 'vitest';
import { HookReceiver } from '../../support/hook-receiver.ts';
import { Arrivals } from './arrivals.ts';

let receiver: HookReceiver;
let arrivals: Arrivals;

beforeEach(async () => {
  receiver = await HookReceiver.start();
  arrivals = new Arrivals(receiver);
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function deliver(...ids: string[]): Promise<void> {
  for (const id of ids) await fetch(receiver.url, { method: 'POST', headers: { 'Hook-Id': id }, body: JSON.stringify({ id }) });
}

it('a delivery that is dropped counts as lost', async () => {
  await deliver('a', 'dropped', 'c');
  receiver.received.splice(1, 1);
  expect(await arrivals.until(3, 50)).toEqual({ undelivered: 1, repeated: 0 });
});

it('a late repetition does not count as a missing delivery', async () => {
  await deliver('a', 'b');
  expect(await arrivals.until(2, 5_000)).toEqual({ undelivered: 0, repeated: 0 });
  await deliver('a', 'c');
  expect(await arrivals.until(4, 50)).toEqual({ undelivered: 1, repeated: 1 });
});

it('a delivery that arrives during the wait ends it', async () => {
  const outcome = arrivals.until(1, 60_000);
  await deliver('a');
  expect(await outcome).toEqual({ undelivered: 0, repeated: 0 });
});

it('a repetition with another body is an error', async () => {
  await deliver('a');
  receiver.received.push({ ...receiver.received[0]!, raw: '{}' });
  await expect(arrivals.until(2, 50)).rejects.toThrow('a arrived with two bodies');
});
