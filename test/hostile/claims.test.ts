import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Running, startProgram } from '../app/program.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import { type PayoutRun, announcedPaid, discrepancies } from '../payouts/program.ts';
import { Api, type Reply } from '../support/http.ts';
import { Random } from '../support/random.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

/** Number of payouts. CLAIMS=10000 (`pnpm test:faults`) is the long test, in which three processes compete for the payouts. */
const CLAIMS = Number(process.env['CLAIMS'] ?? 20);
const isLong = CLAIMS > 100;
const PROCESSES = isLong ? 3 : 1;
/** Payouts per round. All payouts of a round are paid at the same time. */
const PER_ROUND = isLong ? 50 : 20;
/** Concurrent payments by hand: as many as one account's limits allow. */
const PARALLEL = 4;
/** Maximum number of races for a payout. If no payer has paid the payout after a race, the payers race for it again. */
const MAX_ATTEMPTS = 20;
/** Pause before a request that was refused with 429 or 503 is repeated. */
const RETRY_MS = 50;

type Payer = 'by hand' | 'by export' | 'by run';
interface Raced {
  id: string;
  affiliate_id: string;
  /** Payers who were told that they have paid the payout. */
  payers: Payer[];
}

let service: TestService;
let account: TestAccount;
let programs: Running[] = [];
let apis: Api[];
const random = new Random(15);

beforeAll(async () => {
  service = await startService({ writesRows: true });
  account = await service.createAccount();
  await plantPayouts(service, account, { affiliates: CLAIMS });
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' };
  programs = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startProgram(['rest'], settings)));
  apis = [account.api, ...programs.map(({ url }) => new Api(url, credentials(account.id, account.apiKey)))];
}, 600_000);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end()));
  await service.stop();
});

/** Repeats a request while it is refused with 429 or 503. */
async function answered(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 429 && reply.status !== 503) return reply;
    await delay(RETRY_MS);
  }
}

/**
 * Lets three payers compete for the same payouts: one pays them individually by hand, one pays them with an export, and one with a run. If there are
 * several processes, each payer uses a different one. The export and the run begin after a random number of payments by hand.
 *
 * @param nth shifts which process serves which payer
 * @param round part of the run's idempotency key; each race needs a new one
 */
async function race(payouts: readonly Raced[], nth: number, round: string): Promise<void> {
  const apiOf = (place: number) => apis[(nth + place) % apis.length]!;
  const raced = new Map(payouts.map((payout) => [payout.id, payout]));
  const note = (id: string, payer: Payer) => {
    const payout = raced.get(id);
    if (!payout) throw new Error(`${id} was paid ${payer}, but is not one of the payouts of round ${round}.`);
    payout.payers.push(payer);
  };
  const answers = payouts.map(() => Promise.withResolvers<void>());
  const someAnswers = async () => {
    const count = random.int(0, Math.floor(payouts.length / 2));
    if (count > 0) await answers[count - 1]!.promise;
  };

  const payByHand = async () => {
    const waiting = random.shuffled(payouts)[Symbol.iterator]();
    const unsettled = answers[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (const { id } of waiting) {
          const { status } = await answered(() => apiOf(0).post(`/payouts/${id}/pay`));
          if (status === 200) note(id, 'by hand');
          unsettled.next().value!.resolve();
        }
      }),
    );
  };
  const payByExport = async () => {
    await someAnswers();
    const made = await answered(() => apiOf(1).post('/payout_exports', {}));
    if (made.status !== 201) return;
    const exportId = String(made.body['id']);
    const paid = await answered(() => apiOf(1).post(`/payout_exports/${exportId}/payment`));
    if (paid.status !== 200) return;
    const items = await service.services.database.kysely
      .selectFrom('payout_attempt')
      .select('payout_id')
      .where('batch_id', '=', exportId)
      .execute();
    for (const { payout_id } of items) note(payout_id, 'by export');
  };
  const payByRun = async () => {
    await someAnswers();
    const affiliate_ids = payouts.map(({ affiliate_id }) => affiliate_id);
    const run = { affiliate_ids, execute_now: true, idempotency_key: `run ${round}` };
    const { status, body } = await answered(() => apiOf(2).post('/payout_runs', run));
    if (status !== 201) return;
    for (const { payout_id, state } of body['items'] as PayoutRun['items']) if (state === 'paid') note(payout_id, 'by run');
  };
  await Promise.all([payByHand(), payByExport(), payByRun()]);
}

it(
  `each of ${CLAIMS} payouts is paid exactly once by concurrent manual payments, an export and a run`,
  async () => {
    const { kysely } = service.services.database;
    const found = await kysely.selectFrom('payout').select(['id', 'affiliate_id']).where('account_id', '=', account.id).execute();
    const payouts = found.map((payout): Raced => ({ ...payout, payers: [] }));
    expect(payouts).toHaveLength(CLAIMS);
    // All affiliates are archived, except those of the current round, because an export takes all payouts of active affiliates.
    const affiliates = () => kysely.updateTable('affiliate').where('account_id', '=', account.id);
    await affiliates().set({ archived_at: service.clock.instant() }).execute();

    let repeated = 0;
    const start = performance.now();
    for (let nth = 0; nth * PER_ROUND < CLAIMS; nth += 1) {
      const round = payouts.slice(nth * PER_ROUND, (nth + 1) * PER_ROUND);
      const ids = round.map(({ affiliate_id }) => affiliate_id);
      await affiliates().set({ archived_at: null }).where('id', 'in', ids).execute();
      let unpaid = round;
      // A payout can stay unpaid: an export or a run claims it, so that the other payers are refused, and then releases it without paying. The payers
      // race for such payouts again.
      for (let attempt = 1; unpaid.length > 0 && attempt <= MAX_ATTEMPTS; attempt += 1) {
        if (attempt > 1) repeated += unpaid.length;
        await race(unpaid, nth, `${nth}-${attempt}`);
        unpaid = unpaid.filter(({ payers }) => payers.length === 0);
      }
    }
    const seconds = Math.round((performance.now() - start) / 1000);

    expect(payouts.filter(({ payers }) => payers.length !== 1)).toEqual([]);
    const recorded = await kysely
      .selectFrom('payout')
      .innerJoin('payout_attempt', (join) =>
        join.onRef('payout_attempt.payout_id', '=', 'payout.id').on('payout_attempt.state', '=', 'arrived'),
      )
      .leftJoin('payout_batch', 'payout_batch.id', 'payout_attempt.batch_id')
      .select(['payout.id', 'payout.status', 'kind'])
      .where('payout.account_id', '=', account.id)
      .execute();
    const payerOf = (row: (typeof recorded)[number]) =>
      row.kind === 'export' ? 'by export' : row.kind === 'run' ? 'by run' : 'by hand';
    expect(new Map(recorded.map((row) => [row.id, [row.status, payerOf(row)]]))).toEqual(
      new Map(payouts.map(({ id, payers }) => [id, ['paid', payers[0]]])),
    );
    const announced = await announcedPaid(service, account.id);
    expect([...announced.values()].filter((times) => times !== 1)).toEqual([]);
    expect(announced.size).toBe(CLAIMS);
    expect(await discrepancies(account)).toEqual([]);
    if (isLong) {
      const winners = Object.entries(Object.groupBy(payouts, ({ payers }) => payers[0]!)).map(
        ([payer, won]) => [payer, won.length] as const,
      );
      process.stdout.write(
        `${JSON.stringify({ payouts: CLAIMS, processes: PROCESSES, ...Object.fromEntries(winners), repeated, seconds })}\n`,
      );
    }
  },
  60 * 60_000,
);
