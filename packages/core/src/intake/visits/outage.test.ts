import type { NoticesOptions } from '@affiliate/postgres';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { LinkDirectory, OUTAGE_MS } from './link-directory.ts';
import { type QueuedVisit, VisitQueue } from './visit-queue.ts';

/** A fake database that can be cut off. `answer` returns the rows of a statement. */
class FakeDatabase {
  isDown = false;
  readonly givenUp = new AbortController();
  statements = 0;
  #failsAt = Infinity;
  readonly db: Db;

  constructor(answer: (parameters: readonly unknown[]) => object[]) {
    const executeQuery = async ({ parameters }: { parameters: readonly unknown[] }) => {
      this.statements += 1;
      this.assertUp();
      return { rows: answer(parameters) };
    };
    const driver = Object.assign(new DummyDriver(), {
      acquireConnection: async () => ({ executeQuery, streamQuery: () => expect.fail('no streams') }),
    });
    this.db = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** Cuts the database off after `statements` more statements. */
  failAfter(statements: number): void {
    this.#failsAt = this.statements + statements;
  }

  assertUp(): void {
    if (this.statements > this.#failsAt) {
      this.isDown = true;
      this.#failsAt = Infinity;
    }
    if (this.isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  }
}

describe('while the database does not answer, a cached link', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('can be followed for 60 seconds after the process lost its notifications, and no longer', async () => {
    const database = new FakeDatabase(() => [
      { id: 'link_1', account_id: 'acct_1', url: 'https://shop.example.com/', earning: true },
    ]);
    let notices: NoticesOptions | undefined;
    const links = new LinkDirectory(database.db, (options) => {
      notices = options;
      return { start: async () => options.onHeard(), close: async () => {} };
    });
    await links.listen('postgres://nowhere');
    await links.find('ada', 'acct_1', false);
    vi.advanceTimersByTime(10 * OUTAGE_MS);
    database.isDown = true;
    notices!.onLost();
    const find = () => links.find('ada', 'acct_1', true);
    vi.advanceTimersByTime(OUTAGE_MS - 1);
    expect(await find()).toMatchObject({ id: 'link_1' });
    expect(OUTAGE_MS).toBe(60_000);
    vi.advanceTimersByTime(1);
    await expect(find()).rejects.toThrow('refused');
    await expect(links.find('unknown', 'acct_1', true)).rejects.toThrow('refused');
  });
});

/** Starts a queue on a database that writes every visit unless it is cut off. */
function startQueue(options?: ConstructorParameters<typeof VisitQueue>[1]) {
  const written: string[] = [];
  const database = new FakeDatabase(([visits]) => {
    const batch = JSON.parse(String(visits)) as { place: number; referral_id: string }[];
    if (batch.some(({ referral_id }) => referral_id.endsWith('bad'))) throw new Error('cannot be written');
    written.push(...batch.map(({ referral_id }) => referral_id));
    return batch.map(({ place, referral_id }) => ({
      place,
      is_current: true,
      chosen_id: referral_id,
      chosen_expires_at: null,
      endpoint_ids: null,
    }));
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const services = {
    database: {
      kysely: database.db,
      ask: async () => database.assertUp(),
      constraints: { isTransient: () => false },
      givenUp: database.givenUp.signal,
    },
    clock: { now: () => new Date('2027-03-01T12:00:00.000Z') },
    jobs: { send: () => undefined },
    log,
  } as unknown as Services;
  return { database, written, queue: new VisitQueue(services, options) };
}

function visit(name: string | number, { account_id = 'acct_1', mayBeKept = true } = {}): QueuedVisit {
  const row = { at: '2027-03-01T12:00:00.000Z', referral_id: `ref_${name}` } as QueuedVisit['row'];
  return { account_id, row, facts: {}, version: '1.1.1', mayBeKept };
}

/** Number of characters that a visit takes in the queue. */
function sizeOf({ row, facts }: QueuedVisit): number {
  return JSON.stringify({ ...row, ...facts }).length - 1;
}

const inOrder = (names: string[]) => names.toSorted((a, b) => a.localeCompare(b));

describe('visits beyond the limit', () => {
  it.each([
    { of: 'their number', bound: { maxKept: 3 } },
    { of: 'their size', bound: { maxCharacters: 3 * sizeOf(visit(0)) } },
  ])('of $of are lost and counted, while the other visits are written when the database answers again', async ({ bound }) => {
    const { database, written, queue } = startQueue(bound);
    database.isDown = true;
    expect(await queue.record(visit(0))).toEqual({ kind: 'kept' });
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => queue.record(visit(n))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'lost', 'lost']);
    expect(queue.figures).toEqual({ kept: 3, lost: 2 });
    database.isDown = false;
    await expect.poll(() => queue.figures, { timeout: 10_000 }).toEqual({ kept: 0, lost: 2 });
    expect(inOrder(written)).toEqual(['ref_0', 'ref_1', 'ref_2']);
    await queue.close();
  });
});

describe('a visit that must not be kept in memory', () => {
  it('is refused in every account as soon as the database does not answer', async () => {
    const { database, queue } = startQueue();
    database.isDown = true;
    const reports = ['acct_1', 'acct_2'].map((account_id) => queue.record(visit(account_id, { account_id, mayBeKept: false })));
    for (const report of reports)
      await expect(report).rejects.toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|UNAVAILABLE/) });
    await expect(queue.record(visit(3, { mayBeKept: false }))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(queue.figures).toEqual({ kept: 0, lost: 0 });
    database.isDown = false;
    await expect.poll(() => queue.isDown, { timeout: 10_000 }).toBe(false);
    await queue.close();
  });
});

describe('a visit that cannot be written', () => {
  it('is refused without affecting the others of its batch', async () => {
    const { written, queue } = startQueue();
    const outcomes = await Promise.allSettled([visit(1), visit('bad'), visit(2)].map((each) => queue.record(each)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(inOrder(written)).toEqual(['ref_1', 'ref_2']);
    await queue.close();
  });

  it('does not lose the others of its batch when the database fails during the retry', async () => {
    const { database, written, queue } = startQueue();
    database.failAfter(2);
    const visits = [visit(1), visit('bad'), visit(2), visit(3)];
    // The first attempt writes all visits at once and fails. They are then written one by one, and the second of these attempts is cut off.
    expect((await Promise.all(visits.map((each) => queue.record(each)))).map(({ kind }) => kind)).toEqual([
      'written',
      'kept',
      'kept',
      'kept',
    ]);
    database.isDown = false;
    await expect.poll(() => queue.figures, { timeout: 10_000 }).toEqual({ kept: 0, lost: 1 });
    expect(inOrder(written)).toEqual(['ref_1', 'ref_2', 'ref_3']);
    await queue.close();
  });
});

describe('after the end of the queue', () => {
  it('kept visits are lost once the process gives up on the database', async () => {
    const { database, queue } = startQueue();
    database.isDown = true;
    expect(await queue.record(visit(1))).toEqual({ kind: 'kept' });
    const closed = queue.close();
    const start = performance.now();
    database.givenUp.abort();
    await closed;
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(queue.figures.lost).toBe(1);
  });

  it('a visitor is redirected without a referral, and a report is refused', async () => {
    const { queue, written } = startQueue();
    await queue.close();
    expect(await queue.record(visit(1))).toEqual({ kind: 'lost' });
    await expect(queue.record(visit(2, { mayBeKept: false }))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(queue.figures).toEqual({ kept: 0, lost: 1 });
    expect(written).toEqual([]);
  });
});
