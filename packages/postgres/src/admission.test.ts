import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Admission, type Lane, type Leave, asParty, holdingTurn } from './admission.ts';

/** Enters the admission as a party, and appends the party's id to `order` when a place is granted. */
function enter(admission: Admission, order: string[], lane: Lane, id: string): Promise<Leave> {
  return asParty({ lane, id }, async () => {
    const leave = await admission.enter();
    order.push(id);
    return leave;
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Waits for each place in turn and gives it back. */
async function drain(places: Promise<Leave>[]): Promise<void> {
  for (const place of places) (await place)();
}

describe('parties of a lane', () => {
  it('take turns, even if one of them has many waiting requests', async () => {
    const admission = new Admission(1);
    const order: string[] = [];
    const first = await enter(admission, order, 'read', 'busy');
    const places = ['busy', 'busy', 'busy', 'other'].map((id) => enter(admission, order, 'read', id));
    first();
    (await places[0]!)();
    (await places[3]!)();
    await drain([places[1]!, places[2]!]);
    expect(order).toEqual(['busy', 'busy', 'other', 'busy', 'busy']);
  });

  it('share a lane evenly, and a single party never takes the whole lane', async () => {
    const admission = new Admission(8);
    const order: string[] = [];
    const busy = Array.from({ length: 6 }, () => enter(admission, order, 'write', 'busy'));
    await settle();
    expect(order).toHaveLength(3);
    const other = Array.from({ length: 2 }, () => enter(admission, order, 'write', 'other'));
    await settle();
    expect(order).toEqual(['busy', 'busy', 'busy', 'other']);
    // The released place goes to `other`, because `other` holds less than half of the lane.
    (await busy[0]!)();
    await settle();
    expect(order.slice(4)).toEqual(['other']);
    await drain([...busy.slice(1, 3), ...other, ...busy.slice(3)]);
    expect(order).toHaveLength(8);
  });
});

it('one lane leaves places for the other lanes', async () => {
  const admission = new Admission(8);
  const order: string[] = [];
  const writers = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => enter(admission, order, 'write', id));
  const background = Array.from({ length: 6 }, () => enter(admission, order, 'background', 'service'));
  await settle();
  expect(order).toEqual(['a', 'b', 'c', 'd', 'service', 'service', 'service']);
  (await enter(admission, order, 'read', 'reader'))();
  expect(order.at(-1)).toBe('reader');
  await drain([...writers, ...background]);
});

it('work that already holds a connection gets a second one immediately', async () => {
  const admission = new Admission(1);
  const leave = await enter(admission, [], 'write', 'a');
  const second = asParty({ lane: 'write', id: 'a' }, () => holdingTurn(() => admission.enter()));
  await expect(second).resolves.toBeTypeOf('function');
  leave();
});

describe('a queue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('has a maximum length per party', async () => {
    const admission = new Admission(1);
    const leave = await enter(admission, [], 'read', 'busy');
    const waiting = Array.from({ length: 1_000 }, () => enter(admission, [], 'read', 'busy'));
    await expect(enter(admission, [], 'read', 'busy')).rejects.toMatchObject({
      reason: 'queue_full',
      retryAfterSeconds: 5,
    });
    const other = enter(admission, [], 'read', 'other');
    leave();
    await drain([waiting[0]!, other, ...waiting.slice(1)]);
  });

  it.each([
    ['read', 10_000],
    ['write', 15_000],
  ] as const)('rejects %ss that have waited too long', async (lane, milliseconds) => {
    const admission = new Admission(1);
    const leave = await enter(admission, [], lane, 'busy');
    const refused = enter(admission, [], lane, 'busy').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(milliseconds);
    expect(await refused).toMatchObject({ reason: 'no_connection' });
    leave();
    (await enter(admission, [], lane, 'busy'))();
  });

  it('is emptied when the process starts to refuse requests, while background work continues', async () => {
    const admission = new Admission(1);
    const leave = await enter(admission, [], 'read', 'a');
    const refused = enter(admission, [], 'read', 'a').catch((error: unknown) => error);
    const background = enter(admission, [], 'background', 'service');
    admission.refuseRequests();
    expect(await refused).toMatchObject({ reason: 'no_connection' });
    await expect(enter(admission, [], 'write', 'a')).rejects.toMatchObject({ reason: 'no_connection' });
    leave();
    (await background)();
  });
});
