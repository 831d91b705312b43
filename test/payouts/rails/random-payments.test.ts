/**
 * Random operations on payments through the doubles of all rails: processes that die at every moment, two workers at once, lost and late requests, answers and
 * notices, states that go back, fees that affiliates bear, persons who retry, withdraw, call back, decide and stop. Nothing is paid twice, and nothing is lost.
 *
 * PAYMENT_OPERATIONS=20000 tries that many operations on each rail, THOROUGH=on 2,000. PAYMENT_RAIL=wise tries them on one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { sell } from '../../support/program.ts';
import type { Fate, Made, Stage } from '../../support/rail-double.ts';
import { Random } from '../../support/random.ts';
import { answered } from '../../support/rest.ts';
import { SEED } from '../../support/seed.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { discrepancies, type Payee } from '../program.ts';
import { RailMerchant, RAILS, type RailService, startRailService } from './merchant.ts';
import { MortalWorker } from './mortal-worker.ts';

const OPERATIONS = Number(process.env['PAYMENT_OPERATIONS'] ?? (THOROUGH ? 2_000 : 60));
const OF_STORY = 60;
const WATCHED_DAYS = 59;

const CHOSEN = RAILS.filter(({ kind }) => (process.env['PAYMENT_RAIL'] ?? kind) === kind);

let at: RailService;

const FATES: readonly Fate[] = [
  'accept',
  'lose the answer',
  'lose the request',
  'straggle',
  'html',
  { status: 429, name: 'RATE_LIMIT_REACHED' },
  { status: 409, name: 'RESOURCE_CONFLICT' },
  { status: 500, name: 'INTERNAL_SERVER_ERROR' },
];

/** Stages at which a receiver has the money, or may still get it. */
const IS_LIVE = new Set<Stage>(['pending', 'unclaimed', 'arrived']);

class Story {
  readonly #random: Random;
  readonly #merchant: RailMerchant;
  readonly #payees: Payee[] = [];
  readonly #earned = new Map<string, number>();
  readonly #told: string[] = [];
  #isStopped = false;

  constructor(random: Random, merchant: RailMerchant) {
    this.#random = random;
    this.#merchant = merchant;
  }

  async begin(): Promise<void> {
    for (const name of ['ada', 'bob', 'cai']) {
      const made = await this.#merchant.payee(name);
      this.#payees.push(made);
      this.#earned.set(made.program.affiliate.id, 1_000);
    }
  }

  async step(): Promise<void> {
    const operation = this.#random.weighted({
      sell: 6,
      pay: 6,
      work: 8,
      die: 8,
      both: 5,
      fate: 6,
      process: 4,
      turn: 5,
      notice: 4,
      arrive: 2,
      wait: 6,
      days: 3,
      retry: 3,
      withdraw: 1,
      cancel: 2,
      decide: 2,
      resume: 4,
      stop: 1,
      reconnect: 1,
      terms: 1,
    });
    this.#told.push(operation);
    await this[operation]();
    await this.#assertNoneTwice();
  }

  async sell(): Promise<void> {
    const payee = this.#random.pick(this.#payees)!;
    at.service.clock.advance(1, 'seconds');
    await sell(this.#merchant.account, { referral_id: payee.referral_id, amount_cents: 10_000, currency: 'USD' });
    const { id } = payee.program.affiliate;
    this.#earned.set(id, this.#earned.get(id)! + 1_000);
  }

  async pay(): Promise<void> {
    const { id, payouts_count } = await this.#merchant.prepare();
    if (payouts_count === 0) return;
    const act = this.#random.chance(0.9) ? 'send' : 'withdraw';
    const reply = await this.#merchant.act(id, act);
    // The rail did not say what the payments cost.
    if (act === 'send' && reply.status === 422) answered(200, await this.#merchant.act(id, 'withdraw'));
    else answered(200, reply);
  }

  work(): Promise<void> {
    return this.#worker().work();
  }

  die(): Promise<void> {
    return this.#worker(this.#random.int(0, 14)).work();
  }

  async both(): Promise<void> {
    const moments = () => (this.#random.chance(0.5) ? this.#random.int(0, 14) : Number.POSITIVE_INFINITY);
    await Promise.all([this.#worker(moments()).work(), this.#worker(moments()).work()]);
  }

  fate(): void {
    const { refusal, stop } = at.rail;
    this.#merchant.app.fates.push(this.#random.pick([...FATES, refusal, stop])!);
    at.rail.addTrouble?.(this.#merchant.app, this.#random);
  }

  process(): void {
    this.#merchant.app.process(this.#random.pick<Stage>(['pending', ...at.rail.next.pending!]));
  }

  async turn(): Promise<void> {
    const made = this.#random.pick(this.#processed());
    const next = made && at.rail.next[made.stage];
    if (!next) return;
    this.#merchant.app.turn(made.key, this.#random.pick(next)!);
    // The service asks about a payment for 60 days after its arrival. From then on, only a notice tells of it.
    const { arrived_at } = (await this.#attempts()).find(({ id }) => id === made.key) ?? {};
    const since = at.service.clock.now().getTime() - WATCHED_DAYS * 86_400_000;
    if (typeof arrived_at === 'string' && Date.parse(arrived_at) < since)
      answered(200, await this.#merchant.deliver(this.#merchant.app.notice(made.key)));
  }

  async notice(): Promise<void> {
    const made = this.#random.pick(this.#processed());
    if (!made) return;
    const notice = this.#merchant.app.notice(made.key);
    for (let times = this.#random.int(1, 2); times > 0; times -= 1) answered(200, await this.#merchant.deliver(notice));
  }

  arrive(): void {
    this.#merchant.app.arrive();
  }

  wait(): void {
    at.service.clock.advance(this.#random.int(1, 20), 'minutes');
  }

  days(): void {
    at.service.clock.advance(this.#random.pick([1, 7, 31])!, 'days');
  }

  async retry(): Promise<void> {
    await this.#act('retry', ['failed', 'unknown']);
  }

  async withdraw(): Promise<void> {
    await this.#act('withdraw', ['prepared']);
  }

  async cancel(): Promise<void> {
    await this.#act('cancel', ['unclaimed', 'in_transit', 'sent', 'arrived']);
  }

  /** A person looks at the rail, where everything has arrived that was on its way, and says what is there. */
  async decide(): Promise<void> {
    this.#merchant.app.arrive();
    for (const { id, state, reason } of await this.#attempts()) {
      if (state !== 'unknown' || reason !== 'key_expired') continue;
      const made = this.#merchant.app.made.find(({ key }) => key === id);
      // A payment that is neither there nor back is waited for.
      if (made && made.stage !== 'arrived' && IS_LIVE.has(made.stage)) continue;
      const outcome = made?.stage === 'arrived' ? 'arrived' : 'failed';
      const seen = made && { provider_item_id: made.id };
      const { status } = await this.#merchant.attemptTo('decide', id, { outcome, reason: 'As the rail shows it.', ...seen });
      // The rail may have been asked meanwhile.
      if (status !== 200 && status !== 422) throw new Error(`To decide answered ${status}.`);
    }
  }

  async resume(): Promise<void> {
    answered(200, await this.#merchant.settings('POST', `payout_rails/${this.#merchant.railId}/resume`));
  }

  async stop(): Promise<void> {
    this.#isStopped = !this.#isStopped;
    await at.service.services.database.kysely
      .updateTable('account')
      .set({ payouts_stopped_at: this.#isStopped ? at.service.clock.now().toISOString() : null } as never)
      .where('id', '=', this.#merchant.account.id)
      .execute();
  }

  /** Lets the merchant or the affiliates bear the fees of the next payments: a fixed one, or what the rail quotes. */
  async terms(): Promise<void> {
    const fee_bearer = this.#random.pick(['merchant', 'affiliate'])!;
    const fees = this.#random.chance(0.5) ? [{ currency: 'USD', amount_cents: this.#random.int(1, 99) }] : [];
    await at.service.services.database.kysely
      .updateTable('account')
      .set({ payout_terms: JSON.stringify([{ method: at.rail.kind, fee_bearer, fees, minimums: [], paused: false }]) } as never)
      .where('id', '=', this.#merchant.account.id)
      .execute();
  }

  async reconnect(): Promise<void> {
    await this.#merchant.settings('DELETE', `payout_rails/${this.#merchant.railId}`);
    answered(201, await this.#merchant.connect());
  }

  /** Ends all trouble, pays what is owed, and compares both sides to the cent. */
  async end() {
    if (this.#isStopped) await this.stop();
    for (let round = 0; round < 12; round += 1) {
      this.#merchant.app.fates = [];
      await this.resume();
      await this.decide();
      at.rail.endTrouble?.(this.#merchant.app);
      this.#merchant.app.process();
      for (const { key, stage } of this.#processed()) if (IS_LIVE.has(stage)) this.#merchant.app.turn(key, 'arrived');
      at.service.clock.advance(round === 6 ? 31 : 1, 'days');
      await this.work();
      await this.#assertNoneTwice();
      await this.pay();
    }
    const attempts = await this.#attempts();
    const states = new Map(attempts.map(({ id, state }) => [id, state]));
    const contradictions = this.#merchant.app.made.filter(({ key, stage }) => {
      const state = states.get(key);
      return stage === 'arrived' ? state !== 'arrived' : state !== 'returned' && state !== 'failed' && state !== 'withdrawn';
    });
    const receivers = await this.#receivers();
    const paid = Object.fromEntries(
      [...this.#earned.keys()].map((id) => {
        const arrived = attempts.filter(({ affiliate_id, state }) => affiliate_id === id && state === 'arrived');
        const fees = arrived.reduce((sum, { affiliate_fee_cents }) => sum + Number(affiliate_fee_cents), 0);
        return [id, this.#paid(receivers, id, new Set<Stage>(['arrived'])) + fees];
      }),
    );
    return {
      contradictions,
      paid,
      earned: Object.fromEntries(this.#earned),
      discrepancies: await discrepancies(this.#merchant.account),
    };
  }

  async #act(action: 'retry' | 'withdraw' | 'cancel', states: readonly string[]): Promise<void> {
    const attempt = this.#random.pick((await this.#attempts()).filter(({ state }) => states.includes(String(state))));
    if (!attempt) return;
    // The person may come too late.
    const { status } = await this.#merchant.attemptTo(action, attempt['id']);
    if (status !== 200 && status !== 422) throw new Error(`To ${action} answered ${status}.`);
  }

  /** Returns the affiliates of payments by their keys. */
  async #receivers(): Promise<Map<string, string>> {
    return new Map((await this.#attempts()).map(({ id, affiliate_id }) => [String(id), String(affiliate_id)]));
  }

  async #attempts(): Promise<Fields[]> {
    const { data } = (await this.#merchant.account.api.get<{ data: Fields[] }>('/payout_attempts', { limit: 100 })).body;
    return data;
  }

  #worker(moments = Number.POSITIVE_INFINITY): MortalWorker {
    return new MortalWorker(at.service.services, moments);
  }

  #processed(): Made[] {
    return this.#merchant.app.made.filter(({ stage, isNew }) => !isNew && stage !== 'unheard of');
  }

  #paid(receivers: ReadonlyMap<string, string>, id: string, stages: ReadonlySet<Stage>): number {
    const made = this.#merchant.app.made.filter(({ key, stage }) => receivers.get(key) === id && stages.has(stage));
    return made.reduce((sum, { cents }) => sum + cents, 0);
  }

  /** Throws if anybody has got, or may still get, more than was earned, or if the rail has made a payment of one key twice. */
  async #assertNoneTwice(): Promise<void> {
    const receivers = await this.#receivers();
    for (const [id, earned] of this.#earned)
      if (this.#paid(receivers, id, IS_LIVE) > earned) throw new Error(`${id} is paid twice after: ${this.#told.join(' ')}`);
    const keys = this.#merchant.app.made.map(({ key }) => key);
    if (new Set(keys).size !== keys.length) throw new Error(`A key was taken twice after: ${this.#told.join(' ')}`);
    const strangers = keys.filter((key) => !receivers.has(key));
    if (strangers.length > 0) throw new Error(`${strangers.join(', ')} are payments that nobody has prepared.`);
  }
}

describe.each(CHOSEN)('$name', (rail) => {
  beforeAll(async () => {
    at = await startRailService(rail);
  });
  afterAll(() => at.stop());

  it.each(Array.from({ length: Math.ceil(OPERATIONS / OF_STORY) }, (_, story) => story))(
    'story %i pays everybody exactly once',
    { timeout: 120_000 },
    async (number) => {
      const story = new Story(new Random(SEED + number), await RailMerchant.open(at));
      await story.begin();
      for (let step = 0; step < OF_STORY; step += 1) await story.step();
      const { paid, earned, ...wrong } = await story.end();
      expect(wrong).toEqual({ contradictions: [], discrepancies: [] });
      expect(paid).toEqual(earned);
    },
  );
});
