/**
 * Random walks through several accounts at once must keep every cent, and programs that mirror the records (docs/mirroring.md), by cursor during the
 * walk and by events after it (`service.stop`), must know every record as it is listed. These variables change the walks: PAYOUT_OPERATIONS=20000 sets their total
 * length, PAYOUT_ACCOUNTS=6 the number of accounts, PAYOUT_MINUTES=30 ends them after 30 minutes, and TEST_SEED repeats a walk, except for the
 * order in which the accounts take turns.
 */
import { sweepDueCommissions, toEnvelope } from '@affiliate/core';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { type PspTestService, startPspService } from '../psp/service.ts';
import { CursorMirror } from '../support/mirror.ts';
import { openPool } from '../support/postgres.ts';
import { SEED } from '../support/seed.ts';
import { THOROUGH } from '../support/thorough.ts';
import { check } from './walk-check.ts';
import { CUSTOMER_OPERATIONS } from './walk-customers.ts';
import { COMMISSION_OPERATIONS, PAYOUT_OPERATIONS, PROGRAM_OPERATIONS } from './walk-payouts.ts';
import { SALE_OPERATIONS } from './walk-sales.ts';
import { Walk } from './walk.ts';

/** Total number of steps, over all accounts. */
const STEPS = Number(process.env['PAYOUT_OPERATIONS'] ?? (THOROUGH ? 1_000 : 140));
const A_DAY = 24 * 60;
const MINUTES = Number(process.env['PAYOUT_MINUTES'] ?? A_DAY);
const IS_LONG = STEPS > 1_000;
/** Number of accounts: at least 2, so that one provider is connected in live mode and one in test mode. */
const ACCOUNTS = Number(process.env['PAYOUT_ACCOUNTS'] ?? 2);
/** Steps of each account between two jumps of the clock, which all accounts share. */
const ROUND = 10;
/** Rounds between two checks. More in a long walk, because a check reads everything. */
const CHECK_EVERY = IS_LONG ? 25 : 5;
/** Codes of the errors that an operation may get because of a record's state. */
const REFUSALS = ['VALIDATION_ERROR', 'NOT_FOUND'];

const OPERATIONS = {
  ...SALE_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...COMMISSION_OPERATIONS,
  ...PROGRAM_OPERATIONS,
  ...PAYOUT_OPERATIONS,
};

let service: PspTestService;
let database: Pool;
let endPool: () => Promise<void>;
const walks: Walk[] = [];
const mirrors: CursorMirror[] = [];

beforeAll(async () => {
  // Batches this small make payout runs work on two batches at once.
  service = await startPspService({ payoutRunBatch: 2 });
  ({ pool: database, end: endPool } = openPool(service.databaseUrl, ACCOUNTS));
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const walk = new Walk({ service, database, seed: SEED + index, live: index % 2 === 0 });
    await walk.start();
    walks.push(walk);
    mirrors.push(new CursorMirror(service.services, walk.accountId));
  }
});
afterAll(async () => {
  await endPool();
  await service.stop();
});

const WEIGHTS: Record<keyof typeof OPERATIONS, number> = {
  sale: 9,
  toldSale: 8,
  doubledSale: 3,
  redeemedCode: 4,
  contestedSale: 4,
  mergedSale: 3,
  switchClick: 2,
  switchCodes: 1,
  voidNote: 2,
  moveAffiliate: 2,
  manual: 5,
  refund: 22,
  correct: 4,
  erase: 2,
  dispute: 8,
  void: 6,
  review: 8,
  markPaid: 4,
  markUnpaid: 3,
  reschedule: 4,
  affiliateState: 3,
  wallet: 2,
  payByHand: 20,
  returnPayout: 5,
  export: 6,
  payExport: 6,
  deleteExport: 5,
  run: 4,
  executeRun: 5,
  remediateRun: 3,
};

type Name = keyof typeof OPERATIONS;
const NAMES = Object.keys(OPERATIONS) as Name[];
/** Extra rounds at the end, within which each operation that has not succeeded yet must succeed once. */
const LAST_TRIES = 50;

const timesOf = (name: Name) => walks.reduce((sum, { done }) => sum + (done.get(name)?.times ?? 0), 0);

async function step(walk: Walk, name: Name = walk.random.weighted(WEIGHTS)): Promise<void> {
  service.clock.advance(1, 'seconds');
  const start = performance.now();
  try {
    await OPERATIONS[name](walk);
    const { times, ms } = walk.done.get(name) ?? { times: 0, ms: 0 };
    walk.done.set(name, { times: times + 1, ms: ms + performance.now() - start });
  } catch (error) {
    if (!REFUSALS.includes(toEnvelope(error).body.code)) throw error;
  }
}

/** Repeats the operations that have not succeeded so far. Other operations run before each repetition, so that it finds different records. */
async function catchUp(): Promise<void> {
  for (let tries = 0; tries < LAST_TRIES; tries += 1) {
    for (const name of NAMES.filter((name) => timesOf(name) === 0)) for (const walk of walks) await step(walk, name);
    if (NAMES.every((name) => timesOf(name) > 0)) return;
    for (const walk of walks) await step(walk);
  }
}

it(
  `keeps every cent, through ${STEPS} random operations with seed ${SEED}`,
  { timeout: Math.max(600_000, STEPS * 600) },
  async () => {
    const start = performance.now();
    let checking = 0;
    const rounds = Math.ceil(STEPS / ACCOUNTS / ROUND);
    let round = 0;
    while (round < rounds && performance.now() - start < MINUTES * 60_000) {
      round += 1;
      // The operations of different accounts run concurrently. No operation runs while the clock is advanced, because the signatures of events that
      // are being delivered would expire. Nor does any run during a check, because a check makes several reads that must all see the same state.
      await Promise.all(
        walks.map(async (walk) => {
          for (let taken = 0; taken < ROUND; taken += 1) await step(walk);
        }),
      );
      service.clock.advance(walks[0]!.random.int(1, 30), 'hours');
      await sweepDueCommissions(service.services);
      if (round % CHECK_EVERY !== 0) continue;
      const checked = performance.now();
      await Promise.all(walks.map(check));
      await Promise.all(mirrors.map((mirror) => mirror.copy()));
      checking += performance.now() - checked;
      // The tests' server has no autovacuum.
      if (IS_LONG) await database.query('vacuum (analyze)');
    }
    await catchUp();
    await Promise.all(walks.map(check));
    await assertNoContradictions(service.databaseUrl);
    let mirrored = 0;
    for (const mirror of mirrors) {
      await mirror.copy();
      mirrored += await mirror.assertEqual();
    }
    if (IS_LONG) {
      const seconds = (ms: number) => Math.round(ms / 1_000);
      const perName = NAMES.map((name) => {
        const ms = walks.reduce((sum, { done }) => sum + (done.get(name)?.ms ?? 0), 0);
        return `${name} ${timesOf(name)} (${seconds(ms)} s)`;
      });
      process.stdout.write(
        `${mirrored} records equal by cursor; ${round * ROUND * ACCOUNTS} steps in ${seconds(performance.now() - start)} s, checks ${seconds(checking)} s; ${perName.join(', ')}\n`,
      );
    }
    for (const name of NAMES) expect(timesOf(name), `${name} succeeded at times`).toBeGreaterThan(0);
  },
);
