/**
 * Random walks through several accounts at once keep every cent. On request: PAYOUT_OPERATIONS=20000 makes them longer, PAYOUT_ACCOUNTS=6 walks
 * in as many accounts, PAYOUT_MINUTES=30 ends after that time, and PAYOUT_SEED repeats a walk, up to the order in which the accounts take turns.
 */
import { sweepDueCommissions, toEnvelope } from '@affiliate/core';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PspTestService, startPspService } from '../psp/service.ts';
import { openPool } from '../support/postgres.ts';
import { THOROUGH } from '../support/thorough.ts';
import { check } from './walk-check.ts';
import { CUSTOMER_OPERATIONS } from './walk-customers.ts';
import { COMMISSION_OPERATIONS, PAYOUT_OPERATIONS, PROGRAM_OPERATIONS } from './walk-payouts.ts';
import { SALE_OPERATIONS } from './walk-sales.ts';
import { Walk } from './walk.ts';

/** Printed in failures. */
const SEED = Number(process.env['PAYOUT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** Steps of all accounts together. */
const STEPS = Number(process.env['PAYOUT_OPERATIONS'] ?? (THOROUGH ? 1_000 : 140));
const A_DAY = 24 * 60;
const MINUTES = Number(process.env['PAYOUT_MINUTES'] ?? A_DAY);
const IS_LONG = STEPS > 1_000;
/** At least one whose payment provider is in live mode, and one in test mode. */
const ACCOUNTS = Number(process.env['PAYOUT_ACCOUNTS'] ?? 2);
/** Steps of an account between two leaps in time, which all accounts share. */
const ROUND = 10;
/** Rounds between two checks, which read everything: in a long walk more. */
const CHECK_EVERY = IS_LONG ? 25 : 5;
/** Expected errors of an operation on a record whose state does not allow it. */
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

beforeAll(async () => {
  // Runs work on two batches at once.
  service = await startPspService({ payoutRunBatch: 2 });
  ({ pool: database, end: endPool } = openPool(service.databaseUrl, ACCOUNTS));
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const walk = new Walk({ service, database, seed: SEED + index, live: index % 2 === 0 });
    await walk.start();
    walks.push(walk);
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
/** Steps at the end of a walk in which an operation that chance left out must succeed once. */
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

/** Walks on with the operations that have not succeeded so far. Other operations in between change what they meet. */
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
    process.stdout.write(`PAYOUT_SEED=${SEED}\n`);
    const start = performance.now();
    let checking = 0;
    const rounds = Math.ceil(STEPS / ACCOUNTS / ROUND);
    let round = 0;
    while (round < rounds && performance.now() - start < MINUTES * 60_000) {
      round += 1;
      // The accounts walk at once. They stand still while time leaps, because signatures expire, and while a check reads several times.
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
      checking += performance.now() - checked;
      // The server of the tests does not do so by itself.
      if (IS_LONG) await database.query('vacuum (analyze)');
    }
    await catchUp();
    await Promise.all(walks.map(check));
    if (IS_LONG) {
      const seconds = (ms: number) => Math.round(ms / 1_000);
      const perName = NAMES.map((name) => {
        const ms = walks.reduce((sum, { done }) => sum + (done.get(name)?.ms ?? 0), 0);
        return `${name} ${timesOf(name)} (${seconds(ms)} s)`;
      });
      process.stdout.write(
        `${round * ROUND * ACCOUNTS} steps in ${seconds(performance.now() - start)} s, checks ${seconds(checking)} s; ${perName.join(', ')}\n`,
      );
    }
    for (const name of NAMES) expect(timesOf(name), `${name} succeeded at times`).toBeGreaterThan(0);
  },
);
