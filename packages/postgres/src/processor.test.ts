import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { asParty } from './admission.ts';
import { asLongRead } from './long-reads.ts';
import { Processor, mapInParts, takeTurn } from './processor.ts';

/** Occupies the event loop. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('turns on the event loop', () => {
  let time = 0;
  let processor: Processor;
  let order: string[];
  beforeEach(() => {
    processor = new Processor(() => time);
    order = [];
  });

  /** Starts `count` pieces of work of a party, each in a turn. Notes the party in `order` at the beginning of each. */
  const start = (party: string, count: number, ms: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        await processor.turnOf(party);
        order.push(party);
        time += ms;
      }),
    );

  it('go to the party that has used the least time', async () => {
    const busy = start('busy', 20, 2);
    const other = start('other', 3, 1);
    await other;
    expect(order.length).toBeLessThan(12);
    await busy;
    expect(order.length).toBe(23);
  });

  it('cannot be saved up', async () => {
    await start('early', 10, 3);
    const early = start('early', 10, 2);
    // Has used no time before.
    const late = start('late', 10, 2);
    await Promise.race([early, late]);
    const turns = (party: string) => order.slice(10).filter((each) => each === party).length;
    expect(Math.min(turns('early'), turns('late'))).toBeGreaterThanOrEqual(7);
    await Promise.all([early, late]);
  });

  it('let other work of the process in after some milliseconds', async () => {
    const busy = start('busy', 30, 2);
    let iterations = 0;
    while (order.length < 30) {
      await setImmediate();
      iterations += 1;
    }
    await busy;
    expect(iterations).toBeGreaterThanOrEqual(10);
  });

  it('are refused beyond a number that wait', async () => {
    const waiting = Array.from({ length: 1_000 }, () => processor.turnOf('busy'));
    await expect(processor.turnOf('busy')).rejects.toMatchObject({ reason: 'queue_full' });
    await processor.turnOf('other');
    await Promise.all(waiting);
  });
});

describe('long work', () => {
  it('lets the turns of other parties in between', async () => {
    const items = Array.from({ length: 200 }, (_, i) => i);
    let done = 0;
    const long = asParty({ lane: 'read', id: 'busy' }, () =>
      mapInParts(items, (item) => {
        work(1);
        done += 1;
        return item;
      }),
    );
    await takeTurn('other');
    expect(done).toBeLessThan(40);
    expect(await long).toEqual(items);
  });
});

describe('long reads', () => {
  const as = <T>(id: string, read: () => Promise<T>) => asParty({ lane: 'read', id }, () => asLongRead(read));

  it('run one at a time for a party, whatever other parties do', async () => {
    const ends = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const reads = ends.map(({ promise }, i) =>
      as('busy', () => {
        begun.push(i);
        return promise;
      }),
    );
    expect(await as('other', async () => 'read')).toBe('read');
    expect(begun).toEqual([0]);
    ends[0]!.reject(new Error('failed'));
    await expect(reads[0]).rejects.toThrow('failed');
    await setImmediate();
    expect(begun).toEqual([0, 1]);
    for (const { resolve } of ends) resolve();
    await Promise.all(reads.slice(1));
    expect(begun).toEqual([0, 1, 2]);
  });

  it('are refused beyond a number that wait', async () => {
    const end = Promise.withResolvers<void>();
    const reads = Array.from({ length: 1_001 }, () => as('many', () => end.promise));
    await expect(as('many', () => end.promise)).rejects.toMatchObject({ reason: 'queue_full' });
    end.resolve();
    await Promise.all(reads);
  });
});
