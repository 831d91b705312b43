import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { NoticesOptions } from '../../platform/db/notices.ts';
import { LinkDirectory, OUTAGE_MS } from './link-directory.ts';
import { type QueuedVisit, VisitQueue } from './visit-queue.ts';

const listening = vi.hoisted(() => ({ options: null as NoticesOptions | null }));
vi.mock('../../platform/db/notices.ts', () => ({
  Notices: class {
    constructor(options: NoticesOptions) {
      listening.options = options;
    }
    async start() {
      listening.options!.onHeard();
    }
    async close() {}
  },
}));

/** A database that can be cut off. `answer` gives the rows of a statement. */
class FakeDatabase {
  isDown = false;
  statements = 0;
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

  assertUp(): void {
    if (this.isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  }
}

describe('while the database does not answer, a link that was followed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('leads on for 60 seconds after its notifications were last heard, and no longer', async () => {
    const database = new FakeDatabase(() => [
      { id: 'link_1', account_id: 'acct_1', url: 'https://shop.example.com/', earning: true },
    ]);
    const links = new LinkDirectory(database.db);
    await links.listen('postgres://nowhere');
    await links.find('ada', 'acct_1', false);
    vi.advanceTimersByTime(10 * OUTAGE_MS);
    database.isDown = true;
    listening.options!.onLost();
    const find = () => links.find('ada', 'acct_1', true);
    vi.advanceTimersByTime(OUTAGE_MS - 1);
    expect(await find()).toMatchObject({ id: 'link_1' });
    expect(OUTAGE_MS).toBe(60_000);
    vi.advanceTimersByTime(1);
    await expect(find()).rejects.toThrow('refused');
    await expect(links.find('unknown', 'acct_1', true)).rejects.toThrow('refused');
  });
});

describe('visits beyond the bound', () => {
  it('are lost and counted; those within it are written when the database answers again', async () => {
    const written: string[] = [];
    const database = new FakeDatabase(([visits]) => {
      const batch = JSON.parse(String(visits)) as { place: number; referral_id: string }[];
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
    const queue = new VisitQueue(
      {
        database: { kysely: database.db, ask: async () => database.assertUp(), constraints: { isTransient: () => false } },
        clock: { now: () => new Date('2027-03-01T12:00:00.000Z') },
        wakeUps: { deliveries() {} },
        log,
      } as unknown as Services,
      { maxKept: 3 },
    );
    const visit = (n: number): QueuedVisit => ({
      account_id: 'acct_1',
      row: { at: '2027-03-01T12:00:00.000Z', referral_id: `ref_${n}` } as QueuedVisit['row'],
      facts: {},
      version: '1.1.1',
      mayBeKept: true,
    });
    database.isDown = true;
    expect(await queue.record(visit(0))).toEqual({ kind: 'kept' });
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => queue.record(visit(n))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'lost', 'lost']);
    expect(queue.figures).toEqual({ kept: 3, lost: 2 });
    database.isDown = false;
    await expect.poll(() => queue.figures, { timeout: 10_000 }).toEqual({ kept: 0, lost: 2 });
    expect(written.toSorted((a, b) => a.localeCompare(b))).toEqual(['ref_0', 'ref_1', 'ref_2']);
    await queue.close();
  });
});
