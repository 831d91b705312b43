/**
 * Everybody who may have money sent tries at the same moment, in every way: persons who prepare and approve, their keys, and assistants. Whatever the order, what
 * goes out within 24 hours stays below the limits, and what exceeds the amount for one person was approved by another one.
 *
 * LIMIT_ROUNDS=200 tries that many rounds, THOROUGH=on 40.
 */
import { advancePayoutAttempts } from '@affiliate/core';
import { beforeAll, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { Api, type Fields, type Reply } from '../support/http.ts';
import { newMember, ownerOf, type Person } from '../support/people.ts';
import { sell } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import type { TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const ROUNDS = Number(process.env['LIMIT_ROUNDS'] ?? (THOROUGH ? 40 : 6));
const AT_ONCE = 5;
const PAYEES = 4;
/** Amounts in cents that go out within 24 hours. Each payout starts with 1,000. */
const ALONE = 3_000;
const OF_DAY = 6_000;
const OF_ASSISTANT = 2_500;
const DAY_MS = 86_400_000;

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
const rail = new ToyRail();
const random = new Random(SEED);
/** Times at which the rail was first asked to make each payment. */
const posted = new Map<string, number>();
const payees: Payee[] = [];
let people: Person[];
/** A key of each person, and one that may only pay. */
let keys: Api[];
let assistant: Assistant;
let assistantId: string;
/** The token of the assistant, used at the doors of other programs. */
let byToken: Api;

beforeAll(async () => {
  service.services.payoutMethods = [
    ...METHODS,
    {
      ...rail.method,
      send: (payment) => {
        if (!posted.has(payment.key)) posted.set(payment.key, service.clock.now().getTime());
        return rail.send(payment);
      },
    },
  ];
  const owner = await ownerOf(service, account);
  const admins = [await newMember(service, account, 'admin'), await newMember(service, account, 'admin')];
  people = [owner, ...admins];
  const keyOf = async ({ browser }: Person) => {
    const { api_key } = (await browser.mutate('apiKeys.create', { name: 'Mine' })).body.result!.data;
    return new Api(service.url, { ...account.api.headers, Authorization: `Bearer ${String(api_key)}` });
  };
  keys = [
    ...(await Promise.all(people.map(keyOf))),
    await account.apiWith({ 'v1.payouts.read': true, 'v1.payouts.write': true }),
  ];
  ({ assistant, id: assistantId, byToken } = await limitedAssistant(account));
  for (let number = 0; number < PAYEES; number += 1) {
    const made = await payee(account, { person: { walleta_email: null, walletb_email: null } });
    const address = { number: `10000${number}` };
    await account.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address });
    payees.push(made);
  }
  const payout_approval = {
    second_person: 'above',
    above: [{ currency: 'USD', amount_cents: ALONE }],
    daily_limits: [{ currency: 'USD', amount_cents: OF_DAY }],
  };
  const { status } = await owner.browser.mutate('account.update', { account_id: account.id, payout_approval });
  if (status !== 200) throw new Error(`The rules got ${status}.`);
  return () => assistant.client.close();
});

/** Connects an assistant that may pay up to its own limit within a day. */
async function limitedAssistant(of: TestAccount) {
  const { id, token } = await createConnector(of, { permissions: { 'mcp.payouts.read': true, 'mcp.payouts.write': true } });
  const daily_pay_limits = JSON.stringify([{ currency: 'USD', amount_cents: OF_ASSISTANT }]);
  const connectors = service.services.database.kysely.updateTable('connector').set({ daily_pay_limits } as never);
  await connectors.where('id', '=', id).execute();
  return {
    id,
    assistant: await Assistant.overHttp(service, token),
    byToken: new Api(service.url, { Authorization: `Bearer ${token}` }),
  };
}

const idOf = (fields: Fields | undefined) => String(fields?.['id']);
const aKey = () => random.pick(keys)!;
const person = () => random.pick(people)!;
const some = () => random.shuffled(payees).slice(0, random.int(1, 4));
const listed = async (path: string) => (await account.api.get<{ data: Fields[] }>(path, { limit: 30 })).body.data;
const anOld = async (path: string) => idOf(random.pick((await listed(path)).slice(0, 6)));
const ofTrpc = async (answer: ReturnType<Person['browser']['mutate']>) => ({ status: (await answer).status });

/** Refusals are part of the race. Failures are not. */
async function tried(answer: Promise<Pick<Reply, 'status'>>): Promise<number> {
  const { status } = await answer;
  if (status >= 500) throw new Error(`Answered ${status}.`);
  return status;
}

const BATCHES = '/payout_batches';
const sendBy = (caller: Person | Api, id: string) =>
  tried(
    caller instanceof Api ? caller.post(`${BATCHES}/${id}/send`) : ofTrpc(caller.browser.mutate('payoutBatches.send', { id })),
  );
const approveBy = ({ browser }: Person, id: string) => tried(ofTrpc(browser.mutate('payoutBatches.approve', { id })));

/** Other events while prepared batches are sent. */
const ACTS = {
  prepare: () => tried(aKey().post('/payout_attempts/prepare', { method: 'toy' })),
  prepareByAssistant: () => assistant.carryOut('manage_payouts', { action: 'prepare', method: 'toy' }),
  approve: async () => approveBy(person(), await anOld(BATCHES)),
  approveByKey: async () => {
    if ((await tried(aKey().post(`${BATCHES}/${await anOld(BATCHES)}/approve`))) === 200) throw new Error('A key has approved.');
  },
  approveByAssistant: async () => {
    const id = await anOld(BATCHES);
    const tool = random.pick(['manage_payouts', 'manage_payout_exports', 'manage_payout_runs'])!;
    const { isError } = await assistant.call(tool, { action: random.pick(['approve', 'send'])!, id, dry_run: false });
    const act = random.pick([`payout_batches/${id}/approve`, `payout_batches/${id}/send`, `payout_batches`])!;
    const { status } = await byToken.post(`/${act}`, { method: 'toy' });
    if (!isError || status < 400) throw new Error('An assistant has approved or sent what others have prepared.');
  },
  withdraw: async () => tried(aKey().post(`${BATCHES}/${await anOld(BATCHES)}/withdraw`)),
  retry: async () => tried(aKey().post(`/payout_attempts/${await anOld('/payout_attempts')}/retry`)),
  export: () => tried(account.api.post('/payout_exports', {})),
  approveFile: async () =>
    tried(ofTrpc(person().browser.mutate('payoutExports.approve', { id: await anOld('/payout_exports') }))),
  deleteFile: async () => tried(account.api.delete(`/payout_exports/${await anOld('/payout_exports')}`)),
  stop: () => tried(ofTrpc(person().browser.mutate('account.update', { account_id: account.id, payouts_stopped: true }))),
  goOn: () => tried(ofTrpc(person().browser.mutate('account.update', { account_id: account.id, payouts_stopped: false }))),
  work: () => {
    rail.next = random.pick(['accept', 'accept', 'refuse', 'lose the answer', 'lose the request'] as const)!;
    return advancePayoutAttempts(service.services);
  },
};
const WEIGHTS: Record<keyof typeof ACTS, number> = {
  prepare: 4,
  prepareByAssistant: 4,
  approve: 4,
  approveByKey: 1,
  approveByAssistant: 2,
  withdraw: 1,
  retry: 3,
  export: 1,
  approveFile: 1,
  deleteFile: 1,
  stop: 1,
  goOn: 3,
  work: 4,
};

/** Prepares batches by different callers, some of which somebody approves. Returns their ids. */
async function prepareSome(): Promise<string[]> {
  const batches: string[] = [];
  for (const { program, referral_id } of some()) {
    const affiliate_ids = [program.affiliate.id];
    await sell(account, { referral_id, amount_cents: random.int(1, 12) * 1_000, currency: 'USD' });
    const maker = person();
    const { body } = random.chance(0.5)
      ? await aKey().post(BATCHES, { method: 'toy', affiliate_ids })
      : { body: (await maker.browser.mutate('payoutBatches.create', { method: 'toy', affiliate_ids })).body.result!.data };
    batches.push(idOf(body));
    if (random.chance(0.4)) await approveBy(person(), idOf(body));
  }
  for (const { referral_id } of some())
    await sell(account, { referral_id, amount_cents: random.int(1, 12) * 1_000, currency: 'USD' });
  return batches;
}

interface Row {
  id: string;
  kind: string;
  amount_cents: number;
  at: number;
  is_refused: boolean;
  approved_by: string | null;
  prepared_by: string;
  prepared_by_person: string | null;
}

/** Payments that have gone out, or whose file could be read, each with the time at which that was. */
async function goneOut(): Promise<Row[]> {
  const { kysely } = service.services.database;
  const rows = await kysely
    .selectFrom('payout_attempt')
    .innerJoin('payout_batch', 'payout_batch.id', 'payout_attempt.batch_id')
    .select(['payout_attempt.id', 'payout_attempt.amount_cents', 'payout_attempt.approved_by', 'payout_attempt.state'])
    .select(['payout_attempt.raw_state', 'payout_attempt.authorized_at', 'payout_batch.kind'])
    .select(['payout_batch.prepared_by', 'payout_batch.prepared_by_person'])
    .where('payout_attempt.account_id', '=', account.id)
    .execute();
  return rows.flatMap(({ state, raw_state, authorized_at, ...row }) => {
    const at = row.kind === 'export' ? authorized_at && new Date(authorized_at).getTime() : posted.get(row.id);
    if (at === undefined || at === null) return [];
    return [{ ...row, at, is_refused: state === 'failed' && raw_state !== null }] as unknown as Row[];
  });
}

/** Largest sum of payments within 24 hours. */
function mostOf(rows: readonly Pick<Row, 'at' | 'amount_cents'>[]): number {
  const sums = rows.map(({ at }) =>
    rows.filter((each) => each.at <= at && each.at > at - DAY_MS).reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  );
  return Math.max(0, ...sums);
}

function sumsOf(paid: readonly Row[]) {
  return {
    all: mostOf(paid),
    alone: mostOf(paid.filter(({ approved_by }) => approved_by === null)),
    by_assistant: mostOf(paid.filter(({ prepared_by }) => prepared_by === assistantId)),
  };
}

it('nobody gets more sent within a day than the limits allow, however they race', { timeout: 3_600_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const batches = await prepareSome();
    const others = Array.from({ length: AT_ONCE }, () => random.weighted(WEIGHTS));
    const racing = [
      ...batches.flatMap((id) => [() => sendBy(aKey(), id), () => sendBy(person(), id)]),
      ...others.map((act) => () => ACTS[act]()),
    ];
    await Promise.all(random.shuffled(racing).map((act) => act()));
    if (random.chance(0.7)) await ACTS.goOn();
    await ACTS.work();
    service.clock.advance(random.chance(0.5) ? random.int(1, 59) : random.int(60, 900), 'minutes');
    rail.turn({ state: 'arrived', raw_state: 'DONE' });
    // Payouts may be approved within 15 minutes of signing in.
    await service.services.database.kysely
      .updateTable('auth_session')
      .set({ created_at: service.clock.instant() as never })
      .execute();

    const paid = (await goneOut()).filter(({ is_refused }) => !is_refused);
    const own = paid.filter(({ approved_by, prepared_by_person }) => approved_by !== null && approved_by === prepared_by_person);
    const sums = { round, seed: SEED, own: own.length, ...sumsOf(paid) };
    const isWithin = sums.all <= OF_DAY && sums.alone <= ALONE && sums.by_assistant <= OF_ASSISTANT && sums.own === 0;
    expect({ ...sums, isWithin }).toMatchObject({ isWithin: true });
  }
  const paid = await goneOut();
  expect(paid.length).toBeGreaterThan(0);
  if (ROUNDS > 40) {
    const figures = { rounds: ROUNDS, payments: paid.length, ...sumsOf(paid.filter(({ is_refused }) => !is_refused)) };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
});

it(
  'an assistant reaches its own limit, and gets no more sent, however many of its calls race',
  { timeout: 3_600_000 },
  async () => {
    const own = await service.createAccount();
    const { id, assistant: first, byToken: token } = await limitedAssistant(own);
    const earners: Payee[] = [];
    for (let number = 0; number < PAYEES; number += 1) {
      const made = await payee(own, { person: { walleta_email: null, walletb_email: null } });
      const address = { number: `20000${number}` };
      await own.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address });
      earners.push(made);
    }
    const earn = ({ referral_id }: Payee) => sell(own, { referral_id, amount_cents: 10_000, currency: 'USD' });
    let [sent, refused] = [0, 0];
    const prepare = async () => {
      const { isError, body } = await first.carryOut('manage_payouts', { action: 'prepare', method: 'toy' });
      if (!isError) sent += 1;
      else if (body['code'] === 'PAY_LIMIT_EXCEEDED') refused += 1;
    };
    const paidByKey = async () => {
      const { body } = await own.api.post(BATCHES, { method: 'toy', affiliate_ids: [earners[0]!.program.affiliate.id] });
      if (body['id']) await tried(own.api.post(`${BATCHES}/${idOf(body)}/send`));
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      rail.next = random.pick(['accept', 'lose the answer', 'refuse'] as const)!;
      const calls = Array.from({ length: AT_ONCE }, () => prepare);
      const racing = [
        ...calls,
        ...earners.map((each) => () => earn(each)),
        paidByKey,
        () => advancePayoutAttempts(service.services),
      ];
      await Promise.all(random.shuffled(racing).map((act) => act()));
      await advancePayoutAttempts(service.services);
      service.clock.advance(random.int(30, 900), 'minutes');
      rail.turn({ state: 'arrived', raw_state: 'DONE' });
      const rows = await service.services.database.kysely
        .selectFrom('payout_attempt')
        .innerJoin('payout_batch', 'payout_batch.id', 'payout_attempt.batch_id')
        .select(['payout_attempt.amount_cents', 'payout_attempt.authorized_at'])
        .where('payout_batch.prepared_by', '=', id)
        .execute();
      const authorized = rows.flatMap(({ amount_cents, authorized_at }) =>
        authorized_at === null ? [] : [{ amount_cents, at: new Date(authorized_at).getTime() }],
      );
      expect({ round, seed: SEED, isWithin: mostOf(authorized) <= OF_ASSISTANT }).toMatchObject({ isWithin: true });
    }
    rail.next = 'accept';
    // More is due than the limit leaves, whatever the race has left.
    for (const each of earners) await earn(each);
    await prepare();
    service.clock.advance(2, 'days');
    await own.api.post('/payout_attempts/prepare', { method: 'toy' });
    await advancePayoutAttempts(service.services);
    service.clock.advance(1, 'hours');
    await earn(earners[0]!);
    await prepare();
    expect({ hasSent: sent > 0, isRefused: refused > 0 }).toEqual({ hasSent: true, isRefused: true });
    expect((await token.post('/payout_attempts/prepare', { method: 'toy' })).status).toBeGreaterThanOrEqual(401);
    await first.client.close();
  },
);
