import { setTimeout as sleep } from 'node:timers/promises';
import { asParty } from '@affiliate/postgres';
import { clockOf } from '../../platform/call/call-time.ts';
import type { Services } from '../../platform/call/context.ts';
import { databaseFailure, isLockTimeout } from '../../platform/errors/database-failures.ts';
import { DomainError, unavailable } from '../../platform/errors/errors.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { type VisitRow, writeVisits, type WrittenVisit } from './write-visits.ts';

const MAX_COUNT = 100_000;
/** At most about 100 MB, because a character takes one or two bytes. */
const MAX_CHARACTERS = 50_000_000;

/** Limits on the visits that are kept in memory. */
interface KeptBounds {
  maxKept?: number;
  maxCharacters?: number;
}

/** Counts the visits that are kept in memory while the database does not answer, and their characters. */
class KeptVisits {
  readonly #maxCount: number;
  readonly #maxCharacters: number;
  #count = 0;
  #characters = 0;

  constructor({ maxKept = MAX_COUNT, maxCharacters = MAX_CHARACTERS }: KeptBounds = {}) {
    this.#maxCount = maxKept;
    this.#maxCharacters = maxCharacters;
  }

  get count(): number {
    return this.#count;
  }

  hasRoomFor(json: string): boolean {
    return this.#count < this.#maxCount && this.#characters + json.length <= this.#maxCharacters;
  }

  add(json: string): void {
    this.#count += 1;
    this.#characters += json.length;
  }

  remove(json: string): void {
    this.#count -= 1;
    this.#characters -= json.length;
  }
}

/** Maximum number of visits written in one statement. */
const MAX_BATCH = 200;
/** How long a redirect waits for its visit to be written. After that the visit is kept in memory, and the visitor is redirected. */
const WAIT_MS = 2_000;
/**
 * How long the queue keeps trying to write a visit that must not be kept in memory, while other transactions hold the locks that the write
 * needs.
 */
const LOCKS_WITHIN_MS = 15_000;
const PAUSE_MS = 100;
const MAX_ATTEMPTS = 4;
const CLOSE_MS = 5_000;

/** A visit to record. */
export interface QueuedVisit {
  account_id: string;
  row: VisitRow;
  /** Facts of the visit's click, by column. */
  facts: Readonly<Record<string, string | null>>;
  version: string;
  /**
   * True if the visit may be kept in memory when the database does not answer in time. The visitor is then redirected before the visit is
   * written.
   */
  mayBeKept: boolean;
}

/**
 * `stale`: the link changed after it was looked up, so nothing was written. `kept`: the visit is in memory and will be written later; the
 * visitor keeps their referral, or gets the one that the visit will start. `lost`: there was no room to keep the visit, or the queue was
 * closed.
 */
export type VisitOutcome =
  | { kind: 'written'; referral: { id: string; expires_at: Instant | null } | null }
  | { kind: 'stale' | 'kept' | 'lost' };

interface Entry extends Pick<QueuedVisit, 'mayBeKept'> {
  /** The JSON of row and facts, without the opening brace. */
  json: string;
  version: string | null;
  day: string;
  isRepeated: boolean;
  since: number;
  phase: 'waiting' | 'kept' | 'gone';
  timer: NodeJS.Timeout | undefined;
  settle: (outcome: VisitOutcome) => void;
  refuse: (error: unknown) => void;
}

interface Lane {
  waiting: Entry[];
  /** True if the batch that is being written takes so long that further visitors are redirected at once. */
  isSlow: boolean;
}

/**
 * Writes the visits of an account in batches, one batch after the other. Visits that arrive while a batch is being written form the next
 * batch. A visit is acknowledged when its batch has committed. While the database does not answer, visits are kept in memory, within
 * limits, and written afterwards (docs/decisions/0044-visits-are-written-in-groups.md).
 */
export class VisitQueue {
  readonly #services: Services;
  readonly #lanes = new Map<string, Lane>();
  readonly #outage: Outage;
  readonly #kept: KeptVisits;
  #lost = 0;
  #isClosed = false;

  constructor(services: Services, bounds?: KeptBounds) {
    this.#services = services;
    this.#kept = new KeptVisits(bounds);
    this.#outage = new Outage(services, () => this.#kept.count);
  }

  /** True while the database does not answer. */
  get isDown(): boolean {
    return this.#outage.over !== null;
  }

  /** Number of visits in memory whose visitors were redirected already, and number of visits lost since the process started. */
  get figures(): { kept: number; lost: number } {
    return { kept: this.#kept.count, lost: this.#lost };
  }

  /** Queues a visit. Throws UNAVAILABLE or a database error if the visit can be neither written nor kept. */
  record({ account_id, row, facts, version, mayBeKept }: QueuedVisit): Promise<VisitOutcome> {
    return new Promise((settle, refuse) => {
      const json = JSON.stringify({ ...row, ...facts }).slice(1);
      const since = performance.now();
      const day = row.at.slice(0, 10);
      const entry: Entry = {
        json,
        version,
        day,
        mayBeKept,
        isRepeated: false,
        since,
        phase: 'waiting',
        timer: undefined,
        settle,
        refuse,
      };
      if (!mayBeKept && (this.isDown || this.#isClosed)) return refuse(unavailable());
      if (this.#isClosed) return this.#lose(entry);
      let lane = this.#lanes.get(account_id);
      if (mayBeKept && (this.isDown || lane?.isSlow)) {
        if (!this.#kept.hasRoomFor(json)) return this.#lose(entry);
        this.#keep(entry);
      } else if (mayBeKept) {
        entry.timer = setTimeout(() => {
          lane!.isSlow = true;
          this.#keep(entry);
        }, WAIT_MS);
      }
      if (lane) return void lane.waiting.push(entry);
      lane = { waiting: [entry], isSlow: false };
      this.#lanes.set(account_id, lane);
      void this.#drain(account_id, lane);
    });
  }

  /**
   * Waits until the kept visits are written, a few seconds have passed, or the process has given up on the database. Visits that are still
   * unwritten are then lost, and so is every visit that is queued later.
   */
  async close(): Promise<void> {
    const { givenUp } = this.#services.database;
    const end = performance.now() + CLOSE_MS;
    while (this.#lanes.size > 0 && performance.now() < end && !givenUp.aborted) await sleep(PAUSE_MS);
    this.#isClosed = true;
    this.#outage.stopWaiting();
    if (this.#kept.count === 0) return;
    this.#lost += this.#kept.count;
    this.#services.log.error(
      { visits: this.#kept.count },
      'visits were lost: the database did not answer before the process stopped',
    );
  }

  async #drain(accountId: string, lane: Lane): Promise<void> {
    // Waits until the other requests of this turn of the event loop have queued their visits, so that they share the first batch.
    await Promise.resolve();
    for (let attempts = 1; lane.waiting.length > 0; attempts += 1) {
      await this.#outage.over;
      if (this.#isClosed) return;
      const batch = take(lane);
      if (batch.length === 0) continue;
      try {
        await this.#write(accountId, batch);
        attempts = 0;
      } catch (error) {
        await this.#recover(accountId, lane, { batch, error, attempts });
      }
      lane.isSlow = false;
    }
    this.#lanes.delete(accountId);
  }

  async #write(accountId: string, batch: readonly Entry[]): Promise<void> {
    const { database, jobs } = this.#services;
    const visits = batch.map(({ json, version, isRepeated }, place) => {
      const given = version === null ? 'null' : `"${version}"`;
      return `{"place":${place},"version":${given},"is_repeated":${isRepeated},${json}`;
    });
    const now = toInstant((await clockOf(this.#services, accountId)).now());
    const of = { account_id: accountId, day: batch[0]!.day, visits, now };
    // The batch counts as work of the account, not of the request that started it.
    const rows = await asParty({ lane: 'write', id: accountId }, () => writeVisits(database.kysely, of));
    // Ensures that reads of the new referrals do not go to a replica that does not have them yet.
    await database.replica?.noteWrite(accountId);
    for (const row of rows) this.#settle(batch[row.place]!, outcomeOf(row));
    const endpoints = rows[0]?.endpoint_ids;
    if (endpoints) jobs.send('webhooks', endpoints);
  }

  /**
   * Decides what happens to the visits of a batch that failed: they are tried again, written one by one, or refused. The batch may have
   * been written although an error was returned, so further attempts first check whether a visit has been written (`is_repeated`).
   */
  async #recover(
    accountId: string,
    lane: Lane,
    { batch, error, attempts }: { batch: Entry[]; error: unknown; attempts: number },
  ): Promise<void> {
    const { constraints } = this.#services.database;
    for (const entry of batch) entry.isRepeated = true;
    if (isLockTimeout(error) || error instanceof DomainError) {
      lane.waiting.unshift(...this.#refuseOld(batch, LOCKS_WITHIN_MS, error));
      await sleep(PAUSE_MS, undefined, { ref: false });
    } else if (databaseFailure(error) !== null) {
      lane.waiting.unshift(...batch);
      this.#goDown(error);
    } else if (constraints.isTransient(error) && attempts < MAX_ATTEMPTS) {
      lane.waiting.unshift(...batch);
    } else if (batch.length > 1) {
      await this.#writeEach(accountId, lane, batch);
    } else {
      this.#refuse(batch[0]!, error);
    }
  }

  /** Writes visits one by one, so that a visit that cannot be written does not block the others. */
  async #writeEach(accountId: string, lane: Lane, batch: readonly Entry[]): Promise<void> {
    const { constraints } = this.#services.database;
    for (const [place, entry] of batch.entries()) {
      try {
        await this.#write(accountId, [entry]);
      } catch (error) {
        if (!(error instanceof DomainError) && databaseFailure(error) === null && !constraints.isTransient(error)) {
          this.#refuse(entry, error);
          continue;
        }
        // The error was not caused by this visit, so the visit is tried again with the rest of the batch.
        lane.waiting.unshift(...this.#refuseOld(batch.slice(place), LOCKS_WITHIN_MS, error));
        return;
      }
    }
  }

  /** Refuses visits that must not be kept in memory and have waited for at least `ms`. Returns the other visits. */
  #refuseOld(entries: readonly Entry[], ms: number, error: unknown): Entry[] {
    const isOver = ({ mayBeKept, since }: Entry) => !mayBeKept && performance.now() - since >= ms;
    for (const entry of entries) if (isOver(entry)) this.#refuse(entry, error);
    return entries.filter(({ phase }) => phase !== 'gone');
  }

  #settle(entry: Entry, outcome: VisitOutcome): void {
    // A kept visit matches any version of its link, so it is stale only if the link was deleted.
    if (entry.phase === 'kept' && outcome.kind === 'stale') return this.#refuse(entry, new Error('The link was deleted.'));
    clearTimeout(entry.timer);
    if (entry.phase === 'kept') this.#kept.remove(entry.json);
    entry.phase = 'gone';
    entry.settle(outcome);
  }

  #refuse(entry: Entry, error: unknown): void {
    clearTimeout(entry.timer);
    if (entry.phase === 'kept') {
      this.#kept.remove(entry.json);
      this.#lost += 1;
      this.#services.log.error({ err: error }, 'a visit could not be written');
    }
    entry.phase = 'gone';
    entry.refuse(error);
  }

  /** Keeps a waiting visit in memory, and settles its promise, so that the visitor is redirected. */
  #keep(entry: Entry): void {
    if (entry.phase !== 'waiting') return;
    clearTimeout(entry.timer);
    entry.phase = 'kept';
    // The visit counts for the link as it was at the click, even if the link changes before the visit is written.
    entry.version = null;
    this.#kept.add(entry.json);
    entry.settle({ kind: 'kept' });
  }

  #lose(entry: Entry): void {
    this.#lost += 1;
    entry.phase = 'gone';
    entry.settle({ kind: 'lost' });
  }

  #goDown(error: unknown): void {
    this.#outage.begin(error);
    for (const lane of this.#lanes.values()) {
      for (const entry of lane.waiting) if (entry.mayBeKept) this.#keep(entry);
      lane.waiting = this.#refuseOld(lane.waiting, 0, error);
    }
  }
}

/** Takes the next visits of one day out of the lane, at most one batch. */
function take(lane: Lane): Entry[] {
  const day = lane.waiting[0]?.day;
  const foreign = lane.waiting.findIndex((entry) => entry.day !== day);
  return lane.waiting.splice(0, Math.min(MAX_BATCH, foreign === -1 ? lane.waiting.length : foreign));
}

function outcomeOf({ is_current, chosen_id, chosen_expires_at }: WrittenVisit): VisitOutcome {
  if (!is_current) return { kind: 'stale' };
  return { kind: 'written', referral: chosen_id === null ? null : { id: chosen_id, expires_at: chosen_expires_at } };
}

const ANSWER_MS = 2_000;
const PROBE_MS = 250;

/** Tracks an outage: a time during which the database does not answer. */
export class Outage {
  readonly #services: Services;
  readonly #kept: () => number;
  #over: Promise<void> | null = null;
  #isStopped = false;

  /** `kept` returns the number of visits in memory, for the log. */
  constructor(services: Services, kept: () => number) {
    this.#services = services;
    this.#kept = kept;
  }

  /** A promise that settles when the database answers again; null while the database answers. */
  get over(): Promise<void> | null {
    return this.#over;
  }

  /** Starts the outage, and tests the database until it answers again. Called when the database did not answer. */
  begin(error: unknown): void {
    if (this.#over) return;
    this.#services.log.warn({ err: error }, 'the database does not answer; visits are kept in memory');
    this.#over = this.#untilItAnswers();
  }

  /** Lets the promise `over` settle soon, even if the database still does not answer. */
  stopWaiting(): void {
    this.#isStopped = true;
  }

  async #untilItAnswers(): Promise<void> {
    const { database, log } = this.#services;
    const since = performance.now();
    const answers = () =>
      database.ask(ANSWER_MS, 'select 1').then(
        () => true,
        () => false,
      );
    do await sleep(PROBE_MS, undefined, { ref: false });
    while (!this.#isStopped && !(await answers()));
    this.#over = null;
    if (this.#isStopped) return;
    const seconds = Math.round((performance.now() - since) / 1000);
    log.info({ visits: this.#kept(), seconds }, 'the database answers again; visits are written');
  }
}
