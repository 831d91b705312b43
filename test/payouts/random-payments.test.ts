/**
 * Random operations on payments through PayPal's double: processes that die at every moment, two workers at once, lost and late requests, answers and
 * notices, states that go back, persons who retry, withdraw, call back, decide and stop. Nothing is paid twice, and nothing is lost.
 *
 * PAYMENT_OPERATIONS=20000 tries that many operations, THOROUGH=on 2,000.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import type { PayPalItem } from '../support/paypal-server/objects.ts';
import type { Fate } from '../support/paypal-server/paypal-server.ts';
import { sell } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { THOROUGH } from '../support/thorough.ts';
import { MortalWorker } from './mortal-worker.ts';
import { answered, PayPalMerchant, type PayPalService, startPayPalService } from './paypal-merchant.ts';
import { discrepancies, type Payee } from './program.ts';

const OPERATIONS = Number(process.env['PAYMENT_OPERATIONS'] ?? (THOROUGH ? 2_000 : 200));
const OF_STORY = 50;

let at: PayPalService;
beforeAll(async () => {
  at = await startPayPalService();
});
afterAll(() => at.stop());

const FATES: readonly Fate[] = [
  'accept',
  'lose the answer',
  'lose the request',
  'straggle',
  'html',
  { status: 429, name: 'RATE_LIMIT_REACHED' },
  { status: 409, name: 'RESOURCE_CONFLICT' },
  { status: 500, name: 'INTERNAL_SERVER_ERROR' },
  { status: 400, name: 'VALIDATION_ERROR' },
  { status: 403, name: 'AUTHORIZATION_ERROR' },
];

/** What PayPal may make of a payment next. */
const NEXT: Readonly<Record<string, readonly PayPalItem['transaction_status'][]>> = {
  PENDING: ['PENDING', 'SUCCESS', 'UNCLAIMED', 'ONHOLD', 'FAILED', 'BLOCKED'],
  ONHOLD: ['PENDING', 'SUCCESS', 'FAILED'],
  UNCLAIMED: ['SUCCESS', 'RETURNED', 'PENDING', 'UNCLAIMED'],
  SUCCESS: ['SUCCESS', 'SUCCESS', 'REFUNDED', 'REVERSED'],
};
const IS_LIVE = new Set(['PENDING', 'ONHOLD', 'UNCLAIMED', 'SUCCESS']);

class Story {
  readonly #random: Random;
  readonly #merchant: PayPalMerchant;
  readonly #payees: Payee[] = [];
  readonly #earned = new Map<string, number>();
  readonly #told: string[] = [];
  #isStopped = false;

  constructor(random: Random, merchant: PayPalMerchant) {
    this.#random = random;
    this.#merchant = merchant;
  }

  async begin(): Promise<void> {
    for (const name of ['ada', 'bob', 'cai']) {
      const made = await this.#merchant.payee(`${name}@pay.example`);
      this.#payees.push(made);
      this.#earned.set(`${name}@pay.example`, 1_000);
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
    });
    this.#told.push(operation);
    await this[operation]();
    this.#assertNoneTwice();
  }

  async sell(): Promise<void> {
    const payee = this.#random.pick(this.#payees)!;
    at.service.clock.advance(1, 'seconds');
    await sell(this.#merchant.account, { referral_id: payee.referral_id, amount_cents: 10_000, currency: 'USD' });
    const email = this.#emailOf(payee);
    this.#earned.set(email, this.#earned.get(email)! + 1_000);
  }

  async pay(): Promise<void> {
    const { id, payouts_count } = await this.#merchant.prepare();
    if (payouts_count === 0) return;
    answered(200, await this.#merchant.act(id, this.#random.chance(0.9) ? 'send' : 'withdraw'));
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
    this.#merchant.app.fates.push(this.#random.pick(FATES)!);
  }

  process(): void {
    at.paypal.process(this.#merchant.app, this.#random.pick(['PENDING', 'SUCCESS', 'UNCLAIMED'] as const));
  }

  turn(): void {
    const item = this.#random.pick(this.#processed());
    const next = item && NEXT[item.transaction_status];
    if (next) at.paypal.turn(item, this.#random.pick(next)!);
  }

  async notice(): Promise<void> {
    const item = this.#random.pick(this.#processed());
    if (!item) return;
    const notice = at.paypal.notice(this.#merchant.app, item.payout_item.sender_item_id!);
    for (let times = this.#random.int(1, 2); times > 0; times -= 1) answered(200, await this.#merchant.deliver(notice));
  }

  arrive(): void {
    at.paypal.arrive(this.#merchant.app);
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
    await this.#act('cancel', ['unclaimed', 'in_transit']);
  }

  /** A person looks into PayPal, where everything has arrived that was on its way, and says what is there. */
  async decide(): Promise<void> {
    at.paypal.arrive(this.#merchant.app);
    for (const { id, state, reason } of await this.#attempts()) {
      if (state !== 'unknown' || reason !== 'key_expired') continue;
      const item = this.#merchant.app.itemOf(String(id));
      // A payment that is neither there nor back is waited for.
      if (item && item.transaction_status !== 'SUCCESS' && IS_LIVE.has(item.transaction_status)) continue;
      const outcome = item?.transaction_status === 'SUCCESS' ? 'arrived' : 'failed';
      const seen = item && { provider_item_id: item.payout_item_id };
      answered(200, await this.#merchant.attemptTo('decide', id, { outcome, reason: 'As PayPal shows it.', ...seen }));
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
      at.paypal.process(this.#merchant.app);
      for (const item of this.#processed()) if (IS_LIVE.has(item.transaction_status)) at.paypal.turn(item, 'SUCCESS');
      at.service.clock.advance(round === 6 ? 31 : 1, 'days');
      await this.work();
      this.#assertNoneTwice();
      await this.pay();
    }
    const states = new Map((await this.#attempts()).map(({ id, state }) => [id, state]));
    const contradictions = this.#merchant.app.items.filter(({ payout_item, transaction_status }) => {
      const state = states.get(payout_item.sender_item_id!);
      return transaction_status === 'SUCCESS' ? state !== 'arrived' : state !== 'returned' && state !== 'failed';
    });
    const paid = Object.fromEntries([...this.#earned.keys()].map((email) => [email, this.#paid(email, 'SUCCESS')]));
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

  async #attempts(): Promise<Fields[]> {
    const { data } = (await this.#merchant.account.api.get<{ data: Fields[] }>('/payout_attempts', { limit: 100 })).body;
    return data;
  }

  #worker(moments = Number.POSITIVE_INFINITY): MortalWorker {
    return new MortalWorker(at.service.services, moments);
  }

  #processed(): PayPalItem[] {
    return this.#merchant.app.batches.filter(({ isProcessed }) => isProcessed).flatMap(({ items }) => items);
  }

  #emailOf({ program }: Payee): string {
    return String((program.affiliate as unknown as Fields)['walleta_email']);
  }

  #paid(email: string, ...states: string[]): number {
    const items = this.#merchant.app.items.filter(
      ({ payout_item, transaction_status }) => payout_item.receiver === email && states.includes(transaction_status),
    );
    return items.reduce((sum, { payout_item }) => sum + Math.round(Number(payout_item.amount.value) * 100), 0);
  }

  /** Throws if anybody has got, or may still get, more than was earned, or if PayPal has taken a key twice. */
  #assertNoneTwice(): void {
    for (const [email, earned] of this.#earned)
      if (this.#paid(email, ...IS_LIVE) > earned) throw new Error(`${email} is paid twice after: ${this.#told.join(' ')}`);
    const keys = this.#merchant.app.batches.map(({ header }) => header.sender_batch_header.sender_batch_id);
    if (new Set(keys).size !== keys.length) throw new Error(`A key was taken twice after: ${this.#told.join(' ')}`);
  }
}

it.each(Array.from({ length: Math.ceil(OPERATIONS / OF_STORY) }, (_, story) => story))(
  'story %i pays everybody exactly once',
  { timeout: 120_000 },
  async (number) => {
    const story = new Story(new Random(SEED + number), await PayPalMerchant.open(at));
    await story.begin();
    for (let step = 0; step < OF_STORY; step += 1) await story.step();
    const { paid, earned, ...wrong } = await story.end();
    expect(wrong).toEqual({ contradictions: [], discrepancies: [] });
    expect(paid).toEqual(earned);
  },
);
