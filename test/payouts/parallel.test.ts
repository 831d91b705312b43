import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import type { Fields, Reply } from '../support/http.ts';
import { openPool } from '../support/postgres.ts';
import { type Books, type Merchant, startBooks, startMortalBooks } from './books.ts';

/** Total number of operations. MODEL_OPERATIONS=20000 (`pnpm test:model`) is the long test. */
const OPERATIONS = Number(process.env['MODEL_OPERATIONS'] ?? 90);
/** MODEL_KILLS=on kills the processes at random statements. Requests without an answer are then sent again. */
const isKilled = process.env['MODEL_KILLS'] === 'on';
const isLong = OPERATIONS > 1_000;
/** Maximum number of steps in a history. */
const STEPS = isLong ? 40 : 8;
const PER_HISTORY = isLong ? 75 : 30;
const AFFILIATES = 2;
const SALES = isLong ? 12 : 6;
const REFUNDS = 3;
const REFUND_CENTS = 2_000;
/** Pause before a request is sent again. */
const RETRY_MS = 50;
/**
 * Average number of statements that change data between two kills. Kills must be rare, because starting a process takes as long as several hundred
 * operations.
 */
const STATEMENTS_PER_DEATH = isLong ? 500 : 100;
/** Time after which an unfinished test fails and reports its progress. */
const LIMIT_MS = isLong || isKilled ? 60 * 60_000 : 100_000;
const SHRINK_MS = 5 * 60_000;
/** Number of histories between two progress reports. In the long test, these reports show whether the service becomes slower. */
const TOLD_EVERY = 50;
/** Additional time to finish running operations and to report, after a limit is reached. */
const MARGIN_MS = 20_000;

/** Steps that run one after the other. The operations of a step are sent concurrently. */
type History = readonly (readonly Operation[])[];
type Operation =
  | { kind: 'sell'; sale: number }
  | { kind: 'refund'; sale: number; refund: number }
  | { kind: 'void'; sale: number }
  | { kind: 'pay'; affiliate: number }
  | { kind: 'export' | 'run' };

const sale = fc.nat(SALES - 1);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sell' as const), sale }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), sale, refund: fc.nat(REFUNDS - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), sale }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), affiliate: fc.nat(AFFILIATES - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('export' as const, 'run' as const) }) },
);
/**
 * Generates histories. A history may be empty, because otherwise the search for a shorter one could never drop the last step.
 *
 * @param atOnce largest number of operations per step
 */
const histories = (atOnce: number): fc.Arbitrary<History> =>
  fc.array(fc.array(operation, { minLength: 1, maxLength: atOnce }), { maxLength: STEPS, size: 'max' });

/**
 * Computes the expected amounts from the operations that succeeded. Their order does not matter, so the result holds however the operations of a step
 * overlap.
 */
class Model {
  readonly sold = new Set<number>();
  readonly refunds = new Map<string, number>();
  readonly voided = new Set<number>();

  earned(affiliate: number): number {
    let cents = 0;
    for (const nth of this.sold) {
      if (nth % AFFILIATES !== affiliate || this.voided.has(nth)) continue;
      const refunded = [...this.refunds.values()].filter((each) => each === nth).length * REFUND_CENTS;
      cents += (chargeOf(nth) - refunded) / 10;
    }
    return cents;
  }
}

const chargeOf = (nth: number) => (nth + 1) * 10_000;
const isDone = ({ status }: Reply) => status < 300;

let books: Books;
let database: Pool;
let endPool: () => Promise<void>;
beforeAll(async () => {
  books = isKilled ? await startMortalBooks(STATEMENTS_PER_DEATH) : await startBooks();
  ({ pool: database, end: endPool } = openPool(books.databaseUrl, 4));
}, 300_000);
afterAll(async () => {
  await endPool();
  await books.stop();
});

/** An account with a model of its expected state. Each history of operations gets a new account. */
class World {
  readonly model = new Model();
  readonly #merchant: Merchant;
  readonly #affiliates: readonly { affiliate: string; referral: string }[];
  #counter = 0;

  private constructor(merchant: Merchant, affiliates: readonly { affiliate: string; referral: string }[]) {
    this.#merchant = merchant;
    this.#affiliates = affiliates;
  }

  static async create(): Promise<World> {
    const merchant = await books.newMerchant();
    return new World(merchant, await Promise.all(Array.from({ length: AFFILIATES }, () => merchant.newAffiliate())));
  }

  async execute(step: History[number]): Promise<void> {
    await Promise.all(step.map((each) => this.#execute(each)));
  }

  async #execute(given: Operation): Promise<void> {
    switch (given.kind) {
      case 'sell': {
        const { referral } = this.#affiliates[given.sale % AFFILIATES]!;
        const report = {
          external_id: `s${given.sale}`,
          referral_id: referral,
          amount_cents: chargeOf(given.sale),
          currency: 'USD',
        };
        if (isDone(await this.#post('/track/sales', report))) this.model.sold.add(given.sale);
        return;
      }
      case 'refund': {
        const refund_id = `r${given.sale}-${given.refund}`;
        const report = { external_id: `s${given.sale}`, refund_id, amount_cents: REFUND_CENTS };
        if (isDone(await this.#post('/track/refunds', report))) this.model.refunds.set(refund_id, given.sale);
        return;
      }
      case 'void': {
        const [found] = await this.#rows<{ id: string }>(
          `select commission.id from commission join sale on sale.id = commission.sale_id
          where commission.account_id = $1 and sale.external_id = $2 and commission.kind = 'sale'`,
          [this.#merchant.id, `s${given.sale}`],
        );
        if (found && isDone(await this.#send('DELETE', `/commissions/${found.id}`))) this.model.voided.add(given.sale);
        return;
      }
      case 'pay': {
        const { affiliate } = this.#affiliates[given.affiliate]!;
        const [open] = await this.#rows<{ id: string }>(`select id from payout where affiliate_id = $1 and status = 'open'`, [
          affiliate,
        ]);
        if (open) await this.#post(`/payouts/${open.id}/pay`);
        return;
      }
      case 'export': {
        const made = await this.#post('/payout_exports', {});
        if (made.status === 201) await this.#post(`/payout_exports/${String(made.body['id'])}/payment`);
        return;
      }
      case 'run': {
        await this.#post('/payout_runs', { execute_now: true });
      }
    }
  }

  /**
   * Returns the actual and the expected amounts. A commission voided after its payout was claimed stays in that payout and still counts, because an
   * adjustment follows.
   */
  async compare(): Promise<{ actual: unknown; expected: unknown }> {
    const rows = await this.#rows<{ affiliate: string; earned: number; in_payouts: number; paid_twice: number }>(
      `select affiliate, (select coalesce(sum(amount_cents), 0)::int from commission where affiliate_id = affiliate
            and (voided_at is null or exists (select from payout_item where commission_id = commission.id))) as earned,
          (select coalesce(sum(amount_cents), 0)::int from payout where affiliate_id = affiliate) as in_payouts,
          (select count(*)::int from (select from event join payout on payout.id = subject_id
            where event.account_id = $2 and type = 'payout.paid' and affiliate_id = affiliate group by subject_id having count(*) > 1) twice) as paid_twice
        from unnest($1::text[]) affiliate`,
      [this.#affiliates.map(({ affiliate }) => affiliate), this.#merchant.id],
    );
    const actual = new Map(rows.map(({ affiliate, ...row }) => [affiliate, row]));
    const expected = this.#affiliates.map(({ affiliate }, nth) => {
      const cents = this.model.earned(nth);
      return [affiliate, { earned: cents, in_payouts: cents, paid_twice: 0 }] as const;
    });
    return { actual, expected: new Map(expected) };
  }

  /** Returns the findings of the service's own reconciliation. */
  async discrepancies(): Promise<unknown[]> {
    const { body } = await this.#send<{ discrepancies: unknown[] }>('GET', '/payout_runs/reconcile');
    return body.discrepancies;
  }

  async #rows<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await database.query<Row>(text, values)).rows;
  }

  #post(path: string, body?: object): Promise<Reply> {
    return this.#send('POST', path, body);
  }

  /**
   * Sends an operation. Contradictory operations may be refused, but none may fail. A request that a kill left unanswered is sent again with the same
   * idempotency key.
   */
  async #send<Body = Fields>(method: string, path: string, body?: object): Promise<Reply<Body>> {
    this.#counter += 1;
    const headers = { 'Idempotency-Key': `operation ${this.#counter}` };
    for (;;) {
      const reply = await this.#merchant.api().send<Body>(method, path, { body, headers }).catch(unlessMortal);
      const isPending = (reply?.body as { code?: string } | undefined)?.code === 'OPERATION_PENDING';
      const isBusy = reply === null || isPending || reply.status === 429 || reply.status === 503;
      // A long test keeps the machine so busy that requests may be refused.
      if ((isKilled || isLong) && isBusy) await delay(RETRY_MS);
      else if (reply === null || reply.status >= 500) throw new Error(`${reply?.status} ${reply?.text}`);
      else return reply;
    }
  }
}

function unlessMortal(error: unknown): null {
  if (!isKilled) throw error;
  return null;
}

const runs = {
  numRuns: Math.max(1, Math.round(OPERATIONS / PER_HISTORY)),
  interruptAfterTimeLimit: LIMIT_MS,
  markInterruptAsFailure: true,
  // Kills are random, so a failing history may not fail again, and cannot be shortened.
  endOnFailure: isKilled,
};

it(
  'the books agree with the model after every step of random parallel operations',
  async () => {
    const done = { histories: 0, operations: 0 };
    const start = performance.now();
    const tell = async () => {
      const seconds = Math.round((performance.now() - start) / 1000);
      process.stdout.write(`${JSON.stringify({ ...done, deaths: await books.deaths(), seconds })}\n`);
    };
    try {
      await fc.assert(
        fc.asyncProperty(histories(8), async (steps) => {
          const world = await World.create();
          for (const step of steps) {
            await world.execute(step);
            const { actual, expected } = await world.compare();
            expect(actual).toEqual(expected);
            done.operations += step.length;
          }
          expect(await world.discrepancies()).toEqual([]);
          done.histories += 1;
          if (done.histories % TOLD_EVERY === 0) await tell();
        }),
        runs,
      );
    } finally {
      if (isLong || isKilled) await tell();
    }
    await assertNoContradictions(books.databaseUrl);
    expect((await books.deaths()) > 0).toBe(isKilled);
  },
  LIMIT_MS + MARGIN_MS,
);

it.skipIf(!isLong || isKilled)(
  'a disagreement is reduced to the operations that cause it',
  async () => {
    const details = await fc.check(
      // One operation per step. With concurrent operations, a shortened history would disagree with the model only sometimes.
      fc.asyncProperty(histories(1), async (steps) => {
        const world = await World.create();
        for (const step of steps) await world.execute(step);
        // Makes the model wrong by deleting its refunds.
        world.model.refunds.clear();
        const { actual, expected } = await world.compare();
        expect(actual).toEqual(expected);
      }),
      { numRuns: 20, seed: 1, interruptAfterTimeLimit: SHRINK_MS },
    );
    expect(details.failed).toBe(true);
    const kinds = details.counterexample![0].flat().map(({ kind }) => kind);
    expect(kinds).toEqual(['sell', 'refund']);
  },
  SHRINK_MS + MARGIN_MS,
);
