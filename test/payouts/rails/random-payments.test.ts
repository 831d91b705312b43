import { loadScreeningList, screenAffiliates } from '@affiliate/core';
/**
 * Random operations on payments through the doubles of all rails: processes that die at every moment, two workers at once, lost and late requests, answers and
 * notices, states that go back, fees that affiliates bear, persons who retry, withdraw, call back, decide and stop, and lists on which affiliates are. Nothing is paid
 * twice, nothing is lost, and nobody is paid who is held.
 *
 * PAYMENT_OPERATIONS=20000 tries that many operations on each rail, THOROUGH=on 2,000. PAYMENT_RAIL=wise tries them on one.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_UNCLEARED } from '../../../packages/core/src/ledger/payouts/payout-screening.entity.ts';
import type { Fields } from '../../support/http.ts';
import { ownerOf, type Person } from '../../support/people.ts';
import type { Fate, Stage } from '../../support/rail-double.ts';
import { Random } from '../../support/random.ts';
import { answered } from '../../support/rest.ts';
import { SEED } from '../../support/seed.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { unList } from '../screening-lists.ts';
import { RailMerchant, RAILS, type RailService, startRailService } from './merchant.ts';
import { MortalWorker } from './mortal-worker.ts';
import { Watch } from './watch.ts';

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

/** Names of the affiliates of a story, any of which may be on a list. */
const NAMES = ['ada', 'bob', 'cai'];
/** Operations that may end a hold. */
const RELEASING = new Set(['release', 'screen', 'list', 'days']);

class Story {
  readonly #random: Random;
  readonly #merchant: RailMerchant;
  readonly #watch: Watch;
  readonly #told: string[] = [];
  #isStopped = false;
  /** A person who releases hits. Null in a story whose merchant compares nobody. */
  #releaser: Person | null = null;

  constructor(random: Random, merchant: RailMerchant) {
    this.#random = random;
    this.#merchant = merchant;
    this.#watch = new Watch(at, merchant);
  }

  async begin(): Promise<void> {
    for (const name of NAMES) await this.#watch.add(name);
    if (this.#random.chance(0.5)) return;
    this.#releaser = await ownerOf(at.service, this.#merchant.account);
    answered(200, await this.#merchant.settings('PUT', 'payout_screening', { kind: 'lists' }));
    await this.#load([]);
    await screenAffiliates(at.service.services);
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
      ...(this.#releaser && { list: 3, screen: 5, release: 3 }),
    } as Record<Operation, number>);
    this.#told.push(operation);
    const held = this.#releaser && !RELEASING.has(operation) ? await this.#unpostedOfHeld() : [];
    await this[operation]();
    await this.#assertUnposted(held);
    await this.#watch.assertNoneTwice(this.#told.join(' '));
  }

  sell(): Promise<void> {
    return this.#watch.sell(this.#random.pick(this.#watch.payees)!);
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
    const made = this.#random.pick(this.#watch.processed());
    const next = made && at.rail.next[made.stage];
    if (!next) return;
    this.#merchant.app.turn(made.key, this.#random.pick(next)!);
    // The service asks about a payment for 60 days after its arrival. From then on, only a notice tells of it.
    const { arrived_at } = (await this.#watch.attempts()).find(({ id }) => id === made.key) ?? {};
    const since = at.service.clock.now().getTime() - WATCHED_DAYS * 86_400_000;
    if (typeof arrived_at === 'string' && Date.parse(arrived_at) < since)
      answered(200, await this.#merchant.deliver(this.#merchant.app.notice(made.key)));
  }

  async notice(): Promise<void> {
    const made = this.#random.pick(this.#watch.processed());
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

  decide(): Promise<void> {
    return this.#watch.decide();
  }

  resume(): Promise<void> {
    return this.#watch.resume();
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

  /** Some of the affiliates are on the list now. */
  list(): Promise<void> {
    return this.#load(NAMES.filter(() => this.#random.chance(0.3)));
  }

  screen(): Promise<void> {
    return this.#worker(this.#random.chance(0.5) ? this.#random.int(0, 8) : Number.POSITIVE_INFINITY).work(screenAffiliates);
  }

  async release(): Promise<void> {
    const { data } = (await this.#merchant.account.api.get<{ data: Fields[] }>('/payout_screenings', { held: true })).body;
    const hit = this.#random.pick(data.filter(({ result }) => result === 'hit'));
    if (!hit) return;
    const input = { id: hit['id'], reason: 'Somebody else.' };
    const { status, text } = await this.#releaser!.browser.mutate('payoutScreenings.release', input);
    if (status !== 200) throw new Error(`The release answered ${status}: ${text}`);
  }

  async #load(names: readonly string[]): Promise<void> {
    const entries = names.map((name) => [`${name} KING`, `QDi.${name}`] as const);
    await loadScreeningList(at.service.services, unList([...entries, ...NAMES.map((name) => `Not ${name}`)]));
  }

  /** Returns the ids of the payments that were not sent, of affiliates who must not be paid now. */
  async #unpostedOfHeld(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select payout_attempt.id from payout_attempt
        join affiliate on affiliate.id = affiliate_id join account on account.id = payout_attempt.account_id
      where payout_attempt.account_id = ${this.#merchant.account.id} and first_posted_at is null and ${IS_UNCLEARED}`.execute(
      at.service.services.database.kysely,
    );
    return rows.map(({ id }) => id);
  }

  async #assertUnposted(held: readonly string[]): Promise<void> {
    if (held.length === 0) return;
    const posted = (await this.#watch.attempts()).filter(
      ({ id, first_posted_at }) => held.includes(String(id)) && first_posted_at !== null,
    );
    if (posted.length > 0)
      throw new Error(`${String(posted[0]!['id'])} was sent while it was held, after: ${this.#told.join(' ')}`);
  }

  /** Ends all trouble, pays what is owed, and compares both sides to the cent. */
  async end() {
    if (this.#isStopped) await this.stop();
    for (let round = 0; round < 12; round += 1) {
      await this.#watch.calm();
      at.service.clock.advance(round === 6 ? 31 : 1, 'days');
      if (this.#releaser) {
        await this.#load([]);
        await screenAffiliates(at.service.services);
      }
      await this.work();
      await this.#watch.assertNoneTwice(this.#told.join(' '));
      await this.pay();
    }
    return this.#watch.compare();
  }

  async #act(action: 'retry' | 'withdraw' | 'cancel', states: readonly string[]): Promise<void> {
    const attempt = this.#random.pick((await this.#watch.attempts()).filter(({ state }) => states.includes(String(state))));
    if (!attempt) return;
    // The person may come too late.
    const { status } = await this.#merchant.attemptTo(action, attempt['id']);
    if (status !== 200 && status !== 422) throw new Error(`To ${action} answered ${status}.`);
  }

  #worker(moments = Number.POSITIVE_INFINITY): MortalWorker {
    return new MortalWorker(at.service.services, moments);
  }
}

type Operation = { [Name in keyof Story]: Name extends 'begin' | 'step' | 'end' ? never : Name }[keyof Story];

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
