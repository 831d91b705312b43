/** Stories of payments that every rail can tell, by the numbers of docs/payout-scenarios.md. */
import { expect } from 'vitest';
import type { SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import { newId } from '../../../packages/core/src/platform/wire/ids.ts';
import type { Fields } from '../../support/http.ts';
import { answered } from '../../support/rest.ts';
import type { Payee } from '../program.ts';
import type { RailMerchant, RailService } from './merchant.ts';
import { MortalWorker } from './mortal-worker.ts';
import { Watch } from './watch.ts';

/** How the service works through a story: one worker, two at once, or one that dies at a moment, after which another one goes on. */
export type Way = 'alone' | 'two at once' | { diesAfter: number };

/** A process that died holds the lease of its call for a minute. */
const LEASE_SECONDS = 61;
const ROUNDS = 16;

export class Scene {
  readonly at: RailService;
  readonly merchant: RailMerchant;
  readonly watch: Watch;
  readonly isAlone: boolean;
  /** Moments at which the worker could have died so far. */
  moments = 0;
  /** The event between the death of a process and the work of the next one. */
  afterDeath: () => Promise<void> = () => Promise.resolve();
  /** Set by a story in which somebody gets too much, and a person is told. */
  isPaidTwice = false;
  readonly #way: Way;
  readonly #title: string;
  #hasDied = false;

  constructor(at: RailService, merchant: RailMerchant, way: Way, title: string) {
    this.at = at;
    this.merchant = merchant;
    this.watch = new Watch(at, merchant);
    this.isAlone = way === 'alone';
    this.#way = way;
    this.#title = title;
  }

  /** Looks at what only one undisturbed worker makes predictable. */
  async check(look: () => Promise<void>): Promise<void> {
    if (this.isAlone) await look();
  }

  async work(): Promise<void> {
    const { services } = this.at.service;
    if (this.#way === 'two at once') {
      const worker = () => new MortalWorker(services, Number.POSITIVE_INFINITY).work();
      await Promise.all([worker(), worker()]);
    } else {
      const survives = this.#way === 'alone' || this.#hasDied ? COUNTED : this.#way.diesAfter - this.moments;
      const worker = new MortalWorker(services, survives, this.at.double);
      await worker.work();
      this.moments += survives - worker.left;
      if (worker.isDead) {
        this.#hasDied = true;
        await this.afterDeath();
        this.at.service.clock.advance(LEASE_SECONDS, 'seconds');
        await new MortalWorker(services, Number.POSITIVE_INFINITY).work();
      }
    }
    // Until the process dies, everything is as without a death.
    if (this.isPaidTwice || (typeof this.#way === 'object' && !this.#hasDied)) return;
    await this.watch.assertNoneTwice(this.#title);
    await this.watch.assertSums(this.#title);
  }

  async later(amount: number, unit: 'seconds' | 'minutes' | 'hours' | 'days'): Promise<void> {
    this.at.service.clock.advance(amount, unit);
    await this.work();
  }

  /** Prepares and sends payments of all that is due. */
  async pay(input: Fields = {}): Promise<void> {
    const { id, payouts_count } = await this.merchant.prepare(input);
    if (payouts_count === 0) return;
    answered(200, await this.merchant.act(id, 'send'));
    await this.work();
  }

  async arrive(): Promise<void> {
    this.merchant.app.process();
    await this.later(6, 'minutes');
  }

  /** Delivers a notice of every payment that the rail has made. */
  async notify(): Promise<void> {
    for (const { key } of this.merchant.app.made) answered(200, await this.merchant.deliver(this.merchant.app.notice(key)));
  }

  async attempt(of: Payee): Promise<Fields> {
    return (await this.merchant.attempts(of))[0]!;
  }

  async keyOf(of: Payee): Promise<string> {
    return String((await this.attempt(of))['id']);
  }

  /** Ends all trouble, pays what is owed, and returns both sides. */
  async end() {
    for (let round = 0; round < ROUNDS; round += 1) {
      await this.watch.calm();
      this.merchant.app.balance = null;
      await this.later(round === ROUNDS / 2 ? 31 : 1, 'days');
      const { contradictions, paid, earned } = await this.watch.compareRail();
      const isOver = Object.entries(earned).every(([id, cents]) => paid[id]! >= cents);
      if (this.isPaidTwice || (isOver && contradictions.length === 0)) break;
      await this.pay();
    }
    return this.watch.compare();
  }
}

/** More moments than a story has. */
const COUNTED = 1_000_000;

export interface Story {
  /** Scenarios that it tells. */
  numbers: readonly number[];
  title: string;
  /** Why a rail cannot get into it, by its kind. */
  not?: Readonly<Record<string, string>>;
  tell: (scene: Scene, ada: Payee) => Promise<void>;
}

const NO_LIST = 'has no list in which a payment could be found by our ID';
const AT_ONCE = 'makes a transfer at once, so nothing is pending or unclaimed';
const lost = (times = 2_000) => Array.from({ length: times }, () => 'lose the request' as const);

export const STORIES: readonly Story[] = [
  {
    numbers: [1, 2, 19],
    title: 'a payment is made and followed to its end without any notice',
    tell: async (scene, ada) => {
      await scene.pay();
      await scene.arrive();
      await scene.check(async () => {
        expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived' });
        expect(scene.merchant.app.posts).toHaveLength(1);
      });
    },
  },
  {
    numbers: [3, 15],
    title: 'a notice comes while the answer of the call is lost',
    tell: async (scene, ada) => {
      scene.merchant.app.fates = ['lose the answer'];
      scene.afterDeath = async () => {
        scene.merchant.app.process();
        await scene.notify();
      };
      await scene.pay();
      scene.merchant.app.process();
      await scene.notify();
      // At Wise, the transfer is not paid in yet.
      await scene.work();
      await scene.arrive();
      await scene.check(async () => expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived' }));
    },
  },
  {
    numbers: [4],
    title: 'a process dies in the middle of many payments',
    tell: async (scene) => {
      for (const name of ['bob', 'cai', 'dan', 'eva']) await scene.watch.add(name);
      await scene.pay();
      await scene.arrive();
    },
  },
  {
    numbers: [5, 6, 11],
    title: 'no call is answered with certainty, whatever the rail has done',
    tell: async (scene, ada) => {
      const { app } = scene.merchant;
      app.fates = [
        'lose the request',
        { status: 429, name: 'RATE_LIMIT' },
        { status: 409, name: 'CONFLICT' },
        'html',
        { status: 503, name: 'SERVICE_UNAVAILABLE' },
        'lose the answer',
      ];
      await scene.pay();
      await scene.check(async () => expect(await scene.attempt(ada)).toMatchObject({ state: 'unknown', reason: 'no_answer' }));
      for (let times = 0; times < 6; times += 1) await scene.later(6, 'minutes');
      expect(new Set(app.posts).size).toBe(1);
      await scene.arrive();
      await scene.check(async () => expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived' }));
    },
  },
  {
    numbers: [7],
    title: 'a request arrives ten minutes late',
    tell: async (scene) => {
      scene.merchant.app.fates = ['straggle', 'lose the request', 'straggle'];
      await scene.pay();
      await scene.later(10, 'minutes');
      scene.merchant.app.arrive();
      await scene.later(6, 'minutes');
      scene.merchant.app.arrive();
      await scene.arrive();
      expect(scene.merchant.app.made).toHaveLength(1);
    },
  },
  {
    numbers: [8],
    title: 'no answer comes for as long as the rail knows the key',
    tell: async (scene, ada) => {
      scene.merchant.app.fates = lost();
      await scene.pay();
      const { first_posted_at } = await scene.attempt(ada);
      for (let day = 0; day <= scene.at.rail.keyDays; day += 1) await scene.later(1, 'days');
      const posted = scene.merchant.app.posts.length;
      await scene.later(1, 'days');
      expect(scene.merchant.app.posts).toHaveLength(posted);
      expect(await scene.attempt(ada)).toMatchObject({ state: 'unknown', reason: 'key_expired' });
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'processing' });
      await scene.check(async () => expect(await scene.attempt(ada)).toMatchObject({ first_posted_at }));
    },
  },
  {
    numbers: [9],
    title: 'a payment that was sought in vain appears in the list',
    not: { paypal: NO_LIST },
    tell: async (scene, ada) => {
      scene.merchant.app.fates = ['straggle', ...lost()];
      await scene.pay();
      await scene.later(6, 'minutes');
      expect(await scene.attempt(ada)).toMatchObject({ state: 'unknown' });
      scene.merchant.app.arrive();
      for (let day = 0; day <= scene.at.rail.keyDays; day += 1) await scene.later(1, 'days');
      await scene.check(async () => {
        expect((await scene.attempt(ada))['state']).not.toBe('unknown');
        expect(scene.merchant.app.made).toHaveLength(1);
      });
    },
  },
  {
    numbers: [12, 32],
    title: 'a payment is certainly refused, because of its receiver',
    tell: async (scene, ada) => {
      scene.merchant.app.fates = [scene.at.rail.refusal];
      await scene.pay();
      await scene.later(6, 'minutes');
      expect(await scene.attempt(ada)).toMatchObject({ state: 'failed' });
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'due' });
      answered(200, await scene.merchant.attemptTo('retry', await scene.keyOf(ada)));
      await scene.work();
      await scene.arrive();
      expect(await scene.attempt(ada)).toMatchObject({ key_generation: 2 });
    },
  },
  {
    numbers: [13],
    title: 'the rail knows another amount under our key',
    not: { stripe: 'refuses other parameters under a key: see `stripe.test.ts`' },
    tell: async (scene, ada) => {
      scene.merchant.app.fates = ['lose the answer'];
      await scene.pay();
      scene.merchant.app.process('pending');
      scene.merchant.app.misstate(await scene.keyOf(ada), 999);
      for (let times = 0; times < 3; times += 1) await scene.later(6, 'minutes');
      expect(await scene.attempt(ada)).toMatchObject({ state: 'unknown', reason: 'amount_mismatch' });
      expect(new Set(scene.merchant.app.posts).size).toBe(1);
      // The person finds that the rail has paid in full.
      scene.merchant.app.misstate(await scene.keyOf(ada), 1_000);
      answered(
        200,
        await scene.merchant.attemptTo('decide', await scene.keyOf(ada), { outcome: 'arrived', reason: 'Asked the rail.' }),
      );
    },
  },
  {
    numbers: [14],
    title: 'a worker that was slow stores its old answer',
    tell: async (scene, ada) => {
      const slow = new SlowWorker(scene.at);
      const { id } = await scene.merchant.prepare();
      answered(200, await scene.merchant.act(id, 'send'));
      const done = slow.work();
      await slow.hasCalled;
      await scene.later(2, 'minutes');
      await scene.arrive();
      const { state } = await scene.attempt(ada);
      slow.wake();
      await done;
      expect(await scene.attempt(ada)).toMatchObject({ state });
      expect(scene.merchant.app.made).toHaveLength(1);
    },
  },
  {
    numbers: [16],
    title: 'notices come twice, at once and days later',
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process();
      const notice = scene.merchant.app.notice(await scene.keyOf(ada));
      const outcomes = [];
      for (let times = 0; times < 2; times += 1) outcomes.push((await scene.merchant.deliver(notice)).body['outcome']);
      expect(outcomes).toEqual(['taken', 'duplicate']);
      await scene.work();
      await scene.later(3, 'days');
      await scene.notify();
      await scene.work();
      const { data } = (await scene.merchant.account.api.get<{ data: Fields[] }>('/events', { type: 'payout.paid' })).body;
      expect(data).toHaveLength(1);
    },
  },
  {
    numbers: [17],
    title: 'notices come in the wrong order, and the payment goes back',
    not: { stripe: AT_ONCE },
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process('pending');
      const key = await scene.keyOf(ada);
      const old = scene.merchant.app.notice(key);
      scene.merchant.app.turn(key, 'arrived');
      const late = scene.merchant.app.notice(key);
      for (const notice of [late, old]) {
        answered(200, await scene.merchant.deliver(notice));
        await scene.work();
      }
      expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived' });
      // A state that goes back does not take the payment of the payout back.
      scene.merchant.app.turn(key, 'pending');
      await scene.later(1, 'days');
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'paid' });
    },
  },
  {
    numbers: [20],
    title: 'a notice tells of a payment that the service has not sent',
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process();
      const [key, other] = [await scene.keyOf(ada), newId('payout_attempt', scene.at.service.clock.now())];
      const notice = scene.at.rail.rename(scene.merchant.app, key, other);
      expect(await scene.merchant.deliver(notice)).toMatchObject({ status: 200, body: { outcome: 'unknown' } });
      scene.at.rail.rename(scene.merchant.app, other, key);
      const { lines } = scene.at.service.log;
      expect(lines.some(({ message }) => message === 'a notice of a payment that was not sent')).toBe(true);
      expect(await scene.watch.attempts()).toHaveLength(1);
    },
  },
  {
    numbers: [21],
    title: 'half of the payments fail',
    tell: async (scene, ada) => {
      const payees = [ada];
      for (const name of ['bob', 'cai', 'dan']) payees.push(await scene.watch.add(name));
      const { refusal } = scene.at.rail;
      scene.merchant.app.fates = ['accept', refusal, 'accept', refusal];
      await scene.pay();
      await scene.arrive();
      await scene.check(async () => {
        const states = await Promise.all(payees.map(async (payee) => (await scene.merchant.payout(payee))['state']));
        expect(states.map(String).toSorted()).toEqual(['due', 'due', 'paid', 'paid']);
      });
    },
  },
  {
    numbers: [22, 24],
    title: 'the balance runs out between payments',
    tell: async (scene, ada) => {
      const payees = [ada];
      for (const name of ['bob', 'cai', 'dan', 'eva']) payees.push(await scene.watch.add(name));
      const each = 1_000 + (scene.at.rail.feeCents ?? 0);
      scene.merchant.app.balance = new Map([['USD', 2 * each]]);
      await scene.pay();
      for (let times = 0; times < 2; times += 1) await scene.arrive();
      const states = await Promise.all(payees.map(async (payee) => (await scene.merchant.payout(payee))['state']));
      expect(states.filter((state) => state === 'paid')).toHaveLength(2);
      const { body } = await scene.merchant.settings('GET', `payout_rails/${scene.merchant.railId}`);
      expect(body['problem']).not.toBeNull();
      // Nothing is sent into the void, and what was not sent waits, or is due again.
      const posted = scene.merchant.app.posts.length;
      await scene.later(1, 'days');
      expect(scene.merchant.app.posts).toHaveLength(posted);
    },
  },
  {
    numbers: [23],
    title: 'the balance suffices for the amount, and not for the fee',
    not: { stripe: 'takes no fee for a transfer' },
    tell: async (scene, ada) => {
      scene.merchant.app.balance = new Map([['USD', 1_000]]);
      await scene.pay();
      await scene.arrive();
      expect(await scene.attempt(ada)).toMatchObject({ state: 'failed' });
      scene.merchant.app.balance = new Map([['USD', 2_000]]);
      await scene.watch.resume();
      answered(200, await scene.merchant.attemptTo('retry', await scene.keyOf(ada)));
      await scene.work();
      await scene.arrive();
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'paid' });
    },
  },
  {
    numbers: [25],
    title: 'nobody claims a payment, and it comes back after 30 days',
    not: { stripe: AT_ONCE },
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process('unclaimed');
      await scene.later(6, 'minutes');
      await scene.later(20, 'days');
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'processing' });
      const refused = await scene.merchant.account.api.post('/payout_attempts/prepare', {
        method: scene.at.rail.kind,
        payout_ids: [ada.payout.id],
      });
      expect(refused.status).toBe(422);
      scene.merchant.app.turn(await scene.keyOf(ada), 'returned');
      await scene.later(10, 'days');
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'due' });
    },
  },
  {
    numbers: [26],
    title: 'a payment is called back while its receiver claims it',
    not: { stripe: 'takes back what has arrived, or refuses: see `stripe.test.ts`' },
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process(scene.at.rail.recallable[0]);
      await scene.later(6, 'minutes');
      answered(200, await scene.merchant.attemptTo('cancel', await scene.keyOf(ada)));
      scene.merchant.app.turn(await scene.keyOf(ada), 'arrived');
      for (let times = 0; times < 2; times += 1) await scene.later(6, 'minutes');
      expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived', cancel_requested_at: null });
    },
  },
  {
    numbers: [27],
    title: 'a payment comes back three weeks after it has arrived',
    tell: async (scene, ada) => {
      await scene.pay();
      await scene.arrive();
      await scene.later(21, 'days');
      scene.merchant.app.turn(await scene.keyOf(ada), 'returned');
      await scene.later(1, 'days');
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'returned', paid_at: expect.any(String) as string });
    },
  },
  {
    numbers: [30],
    title: 'a payment that came back and was paid again arrives after all',
    not: { stripe: 'never makes a reversed transfer again' },
    tell: async (scene, ada) => {
      await scene.pay();
      scene.merchant.app.process('unclaimed');
      await scene.later(6, 'minutes');
      const first = await scene.keyOf(ada);
      scene.merchant.app.turn(first, 'returned');
      await scene.later(2, 'hours');
      await scene.pay();
      await scene.arrive();
      scene.isPaidTwice = true;
      scene.merchant.app.turn(first, 'arrived');
      answered(200, await scene.merchant.deliver(scene.merchant.app.notice(first)));
      await scene.work();
      const attempts = await scene.merchant.attempts(ada);
      expect(attempts.find(({ id }) => id === first)).toMatchObject({ state: 'returned', reason: 'arrived_after_all' });
    },
  },
  {
    numbers: [31],
    title: 'the address changes before a payment is sent, and another one after',
    tell: async (scene, ada) => {
      const bob = await scene.watch.add('bob');
      scene.merchant.app.fates = ['lose the answer'];
      await scene.pay({ affiliate_ids: [bob.program.affiliate.id] });
      const { id } = await scene.merchant.prepare();
      for (const [payee, name] of [
        [ada, 'newada'],
        [bob, 'newbob'],
      ] as const)
        await scene.at.rail.move(scene.merchant.account, payee.program.affiliate.id, name);
      // Nothing is left to send.
      expect((await scene.merchant.act(id, 'send')).status).toBe(200);
      await scene.later(6, 'minutes');
      expect(await scene.attempt(ada)).toMatchObject({ state: 'withdrawn', reason: 'payout_details_changed' });
      await scene.arrive();
      await scene.check(async () => expect(await scene.attempt(bob)).toMatchObject({ state: 'arrived' }));
    },
  },
  {
    numbers: [33],
    title: 'an affiliate is archived while a payment is under way',
    tell: async (scene, ada) => {
      scene.merchant.app.fates = ['lose the answer'];
      await scene.pay();
      const { status } = await scene.merchant.account.api.delete(`/affiliates/${ada.program.affiliate.id}`);
      expect(status).toBe(204);
      await scene.check(async () => {
        const erasure = await scene.merchant.account.api.post(`/affiliates/${ada.program.affiliate.id}/erase`);
        expect(erasure.status).toBe(409);
      });
      await scene.later(6, 'minutes');
      await scene.arrive();
      await scene.later(6, 'minutes');
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'paid' });
    },
  },
  {
    numbers: [34],
    title: 'commissions are voided before and after their payments are sent',
    tell: async (scene, ada) => {
      const bob = await scene.watch.add('bob');
      const voidOf = async ({ program }: Payee) => {
        const query = { affiliate_id: program.affiliate.id };
        const { data } = (await scene.merchant.account.api.get<{ data: Fields[] }>('/commissions', query)).body;
        await scene.merchant.account.api.delete(`/commissions/${String(data.at(-1)!['id'])}`);
      };
      scene.merchant.app.fates = ['lose the answer'];
      await scene.pay({ affiliate_ids: [ada.program.affiliate.id] });
      const { id } = await scene.merchant.prepare();
      answered(200, await scene.merchant.act(id, 'send'));
      await voidOf(bob);
      scene.watch.earned.set(bob.program.affiliate.id, 0);
      await scene.later(6, 'minutes');
      expect(await scene.merchant.attempts(bob)).toMatchObject([{ state: 'withdrawn', reason: 'commission_voided' }]);
      await voidOf(ada);
      scene.watch.voided.set(ada.program.affiliate.id, 1_000);
      await scene.arrive();
      // What was paid stays paid. The next payout takes it back.
      expect(await scene.merchant.payout(ada)).toMatchObject({ state: 'paid' });
      await scene.watch.sell(ada);
    },
  },
  {
    numbers: [40],
    title: 'the account is refused in the middle of a batch, and connected again',
    tell: async (scene) => {
      for (const name of ['bob', 'cai']) await scene.watch.add(name);
      scene.merchant.app.fates = ['accept', scene.at.rail.stop];
      await scene.pay();
      await scene.later(6, 'minutes');
      await scene.check(() => Promise.resolve(expect(scene.merchant.app.posts).toHaveLength(2)));
      answered(201, await scene.merchant.connect());
      await scene.later(6, 'minutes');
      await scene.arrive();
    },
  },
  {
    numbers: [40],
    title: 'the clock of the rail is wrong by ten minutes',
    tell: async (scene, ada) => {
      const { double, service } = scene.at;
      double.now = () => new Date(service.clock.now().getTime() - WRONG_MINUTES * 60_000);
      try {
        scene.merchant.app.fates = ['lose the answer'];
        await scene.pay();
        await scene.later(6, 'minutes');
        await scene.arrive();
        await scene.check(async () => expect(await scene.attempt(ada)).toMatchObject({ state: 'arrived' }));
      } finally {
        double.now = () => service.clock.now();
      }
    },
  },
];

/** Minutes by which the clock of a rail is wrong. */
const WRONG_MINUTES = 10;

/** A worker whose first call to the rail takes longer than its lease. */
class SlowWorker {
  readonly hasCalled: Promise<void>;
  readonly #services: RailService['service']['services'];
  readonly #awake: Promise<void>;
  wake: () => void = () => {};

  constructor({ service: { services }, rail }: RailService) {
    let called = () => {};
    this.hasCalled = new Promise((resolve) => (called = resolve));
    this.#awake = new Promise((resolve) => (this.wake = resolve));
    const payoutMethods = services.payoutMethods.map((method) => {
      if (method.kind !== rail.kind || !('send' in method)) return method;
      const sending = method as SendingMethod;
      return {
        ...method,
        send: async (...given: Parameters<SendingMethod['send']>) => {
          const word = await sending.send(...given);
          called();
          await this.#awake;
          return word;
        },
      };
    });
    this.#services = { ...services, payoutMethods };
  }

  work(): Promise<void> {
    return new MortalWorker(this.#services, Number.POSITIVE_INFINITY).work();
  }
}
