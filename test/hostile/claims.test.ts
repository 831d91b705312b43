import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Running, startProgram } from '../app/program.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import { Api, type Reply } from '../support/http.ts';
import { SECRET_KEY, type TestAccount, type TestService, credentials, startService } from '../support/service.ts';

/** CLAIM_ROUNDS=10000: the long form, with three processes. */
const ROUNDS = Number(process.env['CLAIM_ROUNDS'] ?? 20);
const PROCESSES = ROUNDS > 100 ? 3 : 1;
/** Payouts that are raced for at the same time, as many as the limits of one account allow to proceed. */
const PARALLEL = 4;
/** Races for one payout until somebody has paid it. */
const MAX_ATTEMPTS = 20;

let service: TestService;
let account: TestAccount;
let programs: Running[] = [];
let apis: Api[];

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
  await plantPayouts(service, account, { affiliates: ROUNDS });
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' };
  programs = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startProgram(['rest'], settings)));
  apis = [account.api, ...programs.map(({ url }) => new Api(url, credentials(account.id, account.apiKey)))];
}, 120_000);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end()));
  await service.stop();
});

/** The same request until it is neither refused for its rate nor for a busy record. */
async function answered(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 429 && reply.status !== 503) return reply;
  }
}

const apiOf = (nth: number) => apis[nth % apis.length]!;

/** @param round names the race: a repeated one is another run */
async function race({ id, affiliate_id }: { id: string; affiliate_id: string }, nth: number, round: string): Promise<string[]> {
  const paysByHand = async () => {
    const { status } = await answered(() => apiOf(nth).post(`/payouts/${id}/pay`));
    return status === 200 ? ['by hand'] : [];
  };
  const paysByExport = async () => {
    const api = apiOf(nth + 1);
    const made = await answered(() => api.post('/payout_exports', { payout_ids: [id] }));
    if (made.status !== 201) return [];
    const paid = await answered(() => api.post(`/payout_exports/${String(made.body['id'])}/payment`));
    return paid.status === 200 ? ['by export'] : [];
  };
  const paysByRun = async () => {
    const { status, body } = await answered(() =>
      apiOf(nth + 2).post('/payout_runs', {
        affiliate_ids: [affiliate_id],
        execute_now: true,
        idempotency_key: `run ${round}`,
      }),
    );
    const totals = (body['totals'] ?? []) as { paid_cents: number }[];
    return status === 201 && totals.some(({ paid_cents }) => paid_cents > 0) ? ['by run'] : [];
  };
  return (await Promise.all([paysByHand(), paysByExport(), paysByRun()])).flat();
}

it(
  `each of ${ROUNDS} payouts that is paid by hand, by an export and by a run at once is paid by exactly one of them`,
  async () => {
    const { kysely } = service.services.database;
    const payouts = await kysely
      .selectFrom('payout')
      .select(['id', 'affiliate_id'])
      .where('account_id', '=', account.id)
      .execute();
    expect(payouts).toHaveLength(ROUNDS);
    const winners: Record<string, number> = {};
    const wrong: unknown[] = [];
    let repeated = 0;
    const start = performance.now();
    const waiting = payouts.entries();
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (const [nth, payout] of waiting) {
          let payers: string[] = [];
          // Nobody pays when an export or a run held the payout at the moment the others checked it, and gave it back: then they race again.
          for (let attempt = 1; payers.length === 0 && attempt <= MAX_ATTEMPTS; attempt += 1) {
            payers = await race(payout, nth, `${nth}-${attempt}`);
            if (payers.length === 0) repeated += 1;
          }
          if (payers.length !== 1) wrong.push({ payout: payout.id, payers });
          for (const payer of payers) winners[payer] = (winners[payer] ?? 0) + 1;
        }
      }),
    );
    const msPerRound = Math.round((performance.now() - start) / ROUNDS);
    expect(wrong).toEqual([]);
    const paid = await kysely
      .selectFrom('payout')
      .select('id')
      .where('account_id', '=', account.id)
      .where('status', '=', 'paid')
      .execute();
    const events = await kysely
      .selectFrom('event')
      .select('id')
      .where('account_id', '=', account.id)
      .where('type', '=', 'payout.paid')
      .execute();
    expect(events).toHaveLength(paid.length);
    expect(paid).toHaveLength(ROUNDS);
    const { body } = await account.api.get<{ discrepancies: unknown[] }>('/payout_runs/reconcile');
    expect(body.discrepancies).toEqual([]);
    if (ROUNDS > 100)
      process.stdout.write(`${JSON.stringify({ rounds: ROUNDS, processes: PROCESSES, ...winners, repeated, msPerRound })}\n`);
  },
  60 * 60_000,
);
