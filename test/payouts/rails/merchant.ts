import { advancePayoutAttempts, createPayoutMethods } from '@affiliate/core';
import { uuidOf } from '../../../packages/core/src/platform/wire/ids.ts';
import { type Fields, type Reply, send } from '../../support/http.ts';
import { type PayPalApp, PayPalServer } from '../../support/paypal-server/paypal-server.ts';
import type { DoubleAccount, Fate, RailDouble, SignedNotice, Stage } from '../../support/rail-double.ts';
import type { Random } from '../../support/random.ts';
import { answered } from '../../support/rest.ts';
import { startService, type TestAccount, type TestService } from '../../support/service.ts';
import { type StripePlatform, StripeTransfersServer } from '../../support/stripe-transfers-server/stripe-transfers-server.ts';
import { type WiseProfile, WiseServer } from '../../support/wise-server/wise-server.ts';
import { payee, type Payee } from '../program.ts';

/** A rail, with what the scenarios of all rails need to know of it. */
export interface Rail<Double extends RailDouble = RailDouble> {
  kind: string;
  name: string;
  start(): Promise<Double>;
  /** Options of `createPayoutMethods`. */
  options(double: Double): { publicKeys?: Record<string, string> };
  /** Details of an affiliate, by a name. */
  person(name: string): Fields;
  /** Adds what the fields of a record cannot say. */
  addDetails?(account: TestAccount, affiliateId: string, name: string): Promise<void>;
  /** Gives an affiliate other details of the rail. */
  move(account: TestAccount, affiliateId: string, name: string): Promise<void>;
  /** Makes the payment of a key one with the other key at the rail, and returns a notice of it. */
  rename(app: ReturnType<Double['addAccount']>, key: string, other: string): SignedNotice;
  /** States that the service shows for what the rail has made of a payment that has not arrived before. */
  shows: Partial<Record<Stage, string>>;
  /** A payment arrives when it is made. */
  isAtOnce: boolean;
  /** Stages from which a payment can be called back. */
  recallable: readonly Stage[];
  /** How far a payment may get from each stage. */
  next: Partial<Record<Stage, readonly Stage[]>>;
  /** Days for which a payment without an answer is sent again. */
  keyDays: number;
  /** Adds trouble that only this rail has, in random operations, and ends all of it. */
  addTrouble?(app: ReturnType<Double['addAccount']>, random: Random): void;
  endTrouble?(app: ReturnType<Double['addAccount']>): void;
  refusal: Fate;
  /** A refusal because of the merchant's account. */
  stop: Fate;
  /** Fee of a payment of 10.00, if the rail takes one. */
  feeCents: number | null;
  /** True if the rail tells the fee before. */
  quotes: boolean;
  /** True if the rail tells the balance. */
  hasBalance: boolean;
}

const PAYPAL: Rail<PayPalServer> = {
  kind: 'paypal',
  name: 'PayPal',
  start: () => new PayPalServer().start(),
  options: () => ({}),
  person: (name) => ({ walleta_email: `${name}@pay.example`, walletb_email: null }),
  move: async (account, id, name) =>
    void answered(200, await account.api.patch(`/affiliates/${id}`, { walleta_email: `${name}@pay.example` })),
  rename: (app: PayPalApp, key, other) => {
    app.itemOf(key).payout_item.sender_item_id = other;
    return app.notice(other);
  },
  shows: { pending: 'in_transit', unclaimed: 'unclaimed', arrived: 'arrived', failed: 'failed', returned: 'returned' },
  isAtOnce: false,
  recallable: ['unclaimed'],
  next: {
    pending: ['pending', 'arrived', 'unclaimed', 'failed'],
    unclaimed: ['arrived', 'returned', 'pending', 'unclaimed'],
    arrived: ['arrived', 'arrived', 'returned'],
  },
  keyDays: 30,
  refusal: { status: 400, name: 'VALIDATION_ERROR', message: 'The receiver ada@pay.example is invalid.' },
  stop: { status: 403, name: 'AUTHORIZATION_ERROR' },
  feeCents: 20,
  quotes: false,
  hasBalance: false,
};

const WISE: Rail<WiseServer> = {
  kind: 'wise',
  name: 'Wise',
  start: () => new WiseServer().start(),
  options: ({ publicKey }) => ({ publicKeys: { wise: publicKey } }),
  person: (name) => ({ walleta_email: null, walletb_email: `${name}@pay.example`, first_name: name, last_name: 'King' }),
  move: async (account, id, name) =>
    void answered(200, await account.api.patch(`/affiliates/${id}`, { walletb_email: `${name}@pay.example` })),
  rename: (app: WiseProfile, key, other) => {
    app.transferOf(key).customerTransactionId = uuidOf(other);
    return app.notice(other);
  },
  shows: { pending: 'in_transit', unclaimed: 'unclaimed', arrived: 'arrived', failed: 'failed', returned: 'returned' },
  isAtOnce: false,
  recallable: ['pending', 'unclaimed'],
  next: {
    pending: ['pending', 'arrived', 'unclaimed', 'failed', 'returned'],
    unclaimed: ['pending', 'arrived', 'returned'],
    arrived: ['arrived', 'arrived', 'returned'],
  },
  keyDays: 14,
  addTrouble: (app: WiseProfile, random) => {
    if (random.chance(0.3))
      app.recipientFates.push(random.pick(['lose the answer', 'html', { status: 500, name: 'ERROR' }] as const)!);
    if (random.chance(0.5))
      app.fundingFates.push(
        random.pick([
          'lose the answer',
          'lose the request',
          'straggle',
          'html',
          'reject',
          'forbid',
          { status: 500, name: 'ERROR' },
        ] as const)!,
      );
    if (random.chance(0.3)) app.payIn();
  },
  endTrouble: (app: WiseProfile) => {
    app.recipientFates = [];
    app.fundingFates = [];
    app.payIn();
  },
  refusal: { status: 422, name: 'NOT_VALID', message: 'The receiver ada@pay.example is invalid.' },
  stop: { status: 403, name: 'UNAUTHORIZED' },
  feeCents: 50,
  quotes: true,
  hasBalance: true,
};

const STRIPE: Rail<StripeTransfersServer> = {
  kind: 'stripe',
  name: 'Stripe',
  start: () => new StripeTransfersServer().start(),
  options: () => ({}),
  person: () => ({ walleta_email: null, walletb_email: null }),
  addDetails: async (account, affiliate_id, name) => {
    const address = { account_id: `acct_1000000000${name}` };
    answered(201, await account.api.post('/payout_methods', { affiliate_id, kind: 'stripe', address }));
  },
  move: async (account, affiliate_id, name) => {
    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id })).body;
    const address = { account_id: `acct_1000000000${name}` };
    answered(200, await account.api.patch(`/payout_methods/${String(data[0]!['id'])}`, { address }));
  },
  rename: (app: StripePlatform, key, other) => {
    const transfer = app.transferOf(key);
    Object.assign(transfer, { transfer_group: other, metadata: { affiliate_payout_attempt: other } });
    return app.notice(other);
  },
  shows: { arrived: 'arrived' },
  isAtOnce: true,
  recallable: [],
  next: { pending: ['arrived'], arrived: ['arrived', 'arrived', 'returned'] },
  keyDays: 1,
  refusal: { status: 400, name: 'parameter_invalid', message: 'The receiver ada@pay.example is invalid.' },
  stop: { status: 403, name: 'permission_error' },
  feeCents: 0,
  quotes: false,
  hasBalance: true,
};

export const RAILS = [PAYPAL, WISE, STRIPE] as unknown as readonly Rail[];

/** A service whose payments go to the double of a rail. */
export interface RailService<Double extends RailDouble = RailDouble> {
  rail: Rail<Double>;
  service: TestService;
  double: Double;
  stop(): Promise<void>;
}

export async function startRailService<Double extends RailDouble>(rail: Rail<Double>): Promise<RailService<Double>> {
  const double = await rail.start();
  const service = await startService({ checksIndexes: true });
  const apiBases = { [rail.kind]: double.url };
  service.services.payoutMethods = createPayoutMethods({ apiBases, timeoutMs: 2_000, ...rail.options(double) });
  double.now = () => service.clock.now();
  return {
    rail,
    service,
    double,
    stop: async () => {
      await service.stop();
      await double.stop();
    },
  };
}

export const startPayPalService = () => startRailService(PAYPAL);
export const startWiseService = () => startRailService(WISE);
export const startStripeService = () => startRailService(STRIPE);

type AccountAt<Double extends RailDouble> = ReturnType<Double['addAccount']> & DoubleAccount;

/** A merchant who pays affiliates through a rail. */
export class RailMerchant<Double extends RailDouble = RailDouble> {
  readonly account: TestAccount;
  readonly app: AccountAt<Double>;
  railId = '';
  readonly #of: RailService<Double>;

  private constructor(of: RailService<Double>, account: TestAccount, app: AccountAt<Double>) {
    this.#of = of;
    this.account = account;
    this.app = app;
  }

  static async open<Double extends RailDouble>(of: RailService<Double>, isSandbox = false): Promise<RailMerchant<Double>> {
    const app = of.double.addAccount(isSandbox) as AccountAt<Double>;
    const merchant = new RailMerchant<Double>(of, await of.service.createAccount(), app);
    merchant.railId = String(answered(201, await merchant.connect())['id']);
    return merchant;
  }

  connect(credentials: Fields = this.app.credentials): Promise<Reply> {
    return this.settings('POST', 'payout_rails', { kind: this.#of.rail.kind, credentials });
  }

  settings(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Fields): Promise<Reply> {
    return this.account.api.send(method, `/api/settings/v1/${path}`, body && { body });
  }

  /** Adds an affiliate who is paid, by a name or an address. */
  async payee(name: string, options: Parameters<typeof payee>[1] = {}): Promise<Payee> {
    const { rail } = this.#of;
    const [local] = name.split('@');
    const person = { ...rail.person(local!), ...(name.includes('@') && { walleta_email: name }), ...options?.person };
    const made = await payee(this.account, { ...options, person });
    await rail.addDetails?.(this.account, made.program.affiliate.id, local!);
    return made;
  }

  async prepare(input: Fields = {}): Promise<Fields> {
    return answered(201, await this.account.api.post('/payout_batches', { method: this.#of.rail.kind, ...input }));
  }

  /** Prepares and sends payments of all that is due. Returns the batch. */
  async pay(input: Fields = {}): Promise<Fields> {
    const { id } = await this.prepare(input);
    answered(200, await this.act(id, 'send'));
    await this.advance();
    return this.batch(id);
  }

  act(id: unknown, action: string): Promise<Reply> {
    return this.account.api.post(`/payout_batches/${String(id)}/${action}`);
  }

  attemptTo(action: string, id: unknown, input: Fields = {}): Promise<Reply> {
    return this.account.api.post(`/payout_attempts/${String(id)}/${action}`, input);
  }

  async batch(id: unknown): Promise<Fields & { attempts: Fields[] }> {
    const path = `/payout_batches/${String(id)}`;
    return (await this.account.api.get<Fields & { attempts: Fields[] }>(path, { expand: 'attempts' })).body;
  }

  /** Returns the attempts to pay a payout, newest first. */
  async attempts({ payout }: Payee): Promise<Fields[]> {
    return (await this.account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data;
  }

  async payout({ payout }: Payee): Promise<Fields> {
    return (await this.account.api.get(`/payouts/${payout.id}`)).body;
  }

  advance(): Promise<void> {
    return advancePayoutAttempts(this.#of.service.services);
  }

  async later(amount: number, unit: 'seconds' | 'minutes' | 'hours' | 'days'): Promise<void> {
    this.#of.service.clock.advance(amount, unit);
    await this.advance();
  }

  deliver({ body, headers }: SignedNotice, railId = this.railId): Promise<Reply> {
    const url = `${this.#of.service.url}/rails/${railId}/events`;
    return send(url, 'POST', { raw: body, headers: { 'Content-Type': 'application/json', ...headers } });
  }
}
