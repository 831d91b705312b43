/** A double of the part of Stripe's API that pays connected accounts. Its objects have the published types (test/payouts/rails/stripe.test.ts). */
import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { DoubleAccount, Fate, Made, RailDouble, SignedNotice, Stage } from '../rail-double.ts';

const DAY_MS = 86_400_000;

interface Entry {
  id: string;
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  created: number;
  currency: string;
  description: string | null;
  exchange_rate: number | null;
  fee: number;
  fee_details: never[];
  net: number;
  reporting_category: string;
  source: string | null;
  status: string;
  type: 'transfer';
  balance_type: 'payments';
}

export interface StripeTransfer {
  id: string;
  object: 'transfer';
  amount: number;
  amount_reversed: number;
  balance_transaction: Entry;
  created: number;
  currency: string;
  description: string | null;
  destination: string;
  livemode: boolean;
  metadata: Record<string, string>;
  reversals: { object: 'list'; data: never[]; has_more: boolean; url: string };
  reversed: boolean;
  source_transaction: null;
  transfer_group: string | null;
}

interface Endpoint {
  id: string;
  url: string;
  secret: string;
  enabled_events: string[];
}

const shortId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** A merchant's platform at Stripe, with its restricted key. */
export class StripePlatform implements DoubleAccount {
  readonly id = shortId('acct').slice(0, 21);
  readonly key: string;
  readonly isSandbox: boolean;
  readonly transfers: StripeTransfer[] = [];
  /** Answers by idempotency key, each with the request and the time until which Stripe repeats it. */
  readonly known = new Map<string, { body: string; answer: Answer; until: number }>();
  readonly posts: string[] = [];
  readonly waiting: { since: number; work: () => void }[] = [];
  endpoints: Endpoint[] = [];
  fates: Fate[] = [];
  balance: Map<string, number> | null = null;
  readonly accounts: { id: string; object: string; form: Record<string, string> }[] = [];
  /** Accounts that have taken their money out, so that nothing can be reversed. */
  readonly emptied = new Set<string>();
  /** Permissions that the key lacks, by the path of what it may not read. */
  readonly forbidden = new Set<string>();
  readonly #server: StripeTransfersServer;

  constructor(server: StripeTransfersServer, isSandbox: boolean) {
    this.#server = server;
    this.isSandbox = isSandbox;
    this.key = `rk_${isSandbox ? 'test' : 'live'}_${randomUUID().replaceAll('-', '')}`;
  }

  get credentials() {
    return { secret_key: this.key };
  }

  get made(): Made[] {
    return this.transfers.map(({ id, amount, currency, reversed, transfer_group }) => ({
      key: transfer_group!,
      cents: amount,
      currency: currency.toUpperCase(),
      stage: reversed ? 'returned' : 'arrived',
      isNew: false,
      id,
    }));
  }

  transferOf(key: string): StripeTransfer {
    return this.transfers.find(({ transfer_group }) => transfer_group === key)!;
  }

  /** A transfer is decided when it is made. */
  process(): void {}

  turn(key: string, stage: Stage): void {
    const transfer = this.transferOf(key);
    if (stage === 'returned') this.reverse(transfer, transfer.amount - transfer.amount_reversed);
  }

  reverse(transfer: StripeTransfer, amount: number): void {
    transfer.amount_reversed += amount;
    transfer.reversed = transfer.amount_reversed === transfer.amount;
    const there = this.balance?.get(transfer.currency.toUpperCase()) ?? 0;
    this.balance?.set(transfer.currency.toUpperCase(), there + amount);
  }

  misstate(key: string, cents: number): void {
    this.transferOf(key).amount = cents;
  }

  arrive(): void {
    for (const { since, work } of this.waiting.splice(0)) if (since > this.#server.now().getTime() - DAY_MS) work();
  }

  notice(key: string, type = 'transfer.updated'): SignedNotice {
    const event = {
      id: shortId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(this.#server.now().getTime() / 1_000),
      livemode: !this.isSandbox,
      type,
      data: { object: this.transferOf(key) },
    };
    return this.sign(JSON.stringify(event));
  }

  sign(body: string, at = Math.floor(this.#server.now().getTime() / 1_000)): SignedNotice {
    const signature = createHmac('sha256', this.endpoints[0]?.secret ?? '')
      .update(`${at}.${body}`)
      .digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
  }
}

export class StripeTransfersServer extends DoubleServer implements RailDouble {
  readonly platforms: StripePlatform[] = [];
  now: () => Date = () => new Date();

  addAccount(isSandbox = false): StripePlatform {
    const platform = new StripePlatform(this, isSandbox);
    this.platforms.push(platform);
    return platform;
  }

  protected override answer(
    { pathname, searchParams }: URL,
    { method, headers }: IncomingMessage,
    _sent: Record<string, unknown>,
    text: string,
  ): Answer | null {
    const platform = this.platforms.find(({ key }) => headers.authorization === `Bearer ${key}`);
    if (!platform) return [401, refusal('invalid_request_error', undefined, 'Invalid API Key provided: rk_live_****')];
    const route = `${method} ${pathname}`;
    const form = new URLSearchParams(text);
    const key = String(headers['idempotency-key'] ?? '');
    const [, id = '', action = ''] = /^\/v1\/\w+\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const transfer = platform.transfers.find((each) => each.id === id);
    if (route === 'GET /v1/account') return [200, { id: platform.id, object: 'account', country: 'US' }];
    if (route === 'POST /v1/accounts')
      return this.#once(platform, { key, body: text }, () => {
        const account = { id: shortId('acct').slice(0, 21), object: 'account', form: Object.fromEntries(form) };
        platform.accounts.push(account);
        return [200, account];
      });
    if (route === 'POST /v1/account_links') return this.#link(platform, form);
    if (route === 'GET /v1/balance') return [200, this.#balanceOf(platform)];
    if (route === 'POST /v1/transfers') return this.#pay(platform, form, { key, body: text });
    if (route === 'GET /v1/transfers') {
      const data = platform.transfers.filter(({ transfer_group }) => transfer_group === searchParams.get('transfer_group'));
      return [200, { object: 'list', data: data.map(collapsed), has_more: false, url: '/v1/transfers' }];
    }
    if (method === 'POST' && action === 'reversals' && transfer) {
      return this.#once(platform, { key, body: text }, () => this.#reverse(platform, transfer));
    }
    if (method === 'GET' && transfer) {
      const isExpanded = searchParams.has('expand[]');
      if (isExpanded && platform.forbidden.has('balance_transactions'))
        return [403, refusal('invalid_request_error', 'more_permissions_required', 'The provided key lacks a permission.')];
      return [200, isExpanded ? transfer : collapsed(transfer)];
    }
    if (route === 'GET /v1/webhook_endpoints')
      return [200, { object: 'list', data: platform.endpoints.map(({ secret: _, ...each }) => each), has_more: false }];
    if (route === 'POST /v1/webhook_endpoints') return this.#addEndpoint(platform, form);
    if (method === 'DELETE' && pathname.startsWith('/v1/webhook_endpoints/')) {
      platform.endpoints = platform.endpoints.filter((each) => each.id !== id);
      return [200, { id, object: 'webhook_endpoint', deleted: true }];
    }
    return [404, refusal('invalid_request_error', 'resource_missing', 'No such object.')];
  }

  #link({ accounts }: StripePlatform, form: URLSearchParams): Answer {
    const id = form.get('account')!;
    if (!accounts.some((account) => account.id === id))
      return [400, refusal('invalid_request_error', 'resource_missing', `No such account: ${id}`)];
    const created = Math.floor(this.now().getTime() / 1_000);
    const url = `https://connect.stripe.com/setup/s/${id}/${randomUUID().slice(0, 12)}`;
    return [200, { object: 'account_link', created, expires_at: created + 300, url }];
  }

  #balanceOf({ balance, isSandbox }: StripePlatform) {
    const available = [...(balance ?? new Map([['USD', 100_000_000]]))].map(([currency, amount]) => ({
      amount,
      currency: currency.toLowerCase(),
      source_types: { card: amount },
    }));
    return { object: 'balance', available, livemode: !isSandbox, pending: [] };
  }

  #pay(platform: StripePlatform, form: URLSearchParams, request: { key: string; body: string }): Answer | null {
    platform.posts.push(request.key);
    const fate = platform.fates.shift() ?? 'accept';
    if (fate === 'lose the request') return null;
    if (fate === 'html') return [403, '<html>Please wait</html>', { 'Content-Type': 'text/html' }];
    const work = () => this.#once(platform, request, () => this.#create(platform, form));
    if (fate === 'straggle') {
      platform.waiting.push({ since: this.now().getTime(), work });
      return null;
    }
    if (typeof fate === 'object') {
      const type = fate.status === 403 ? 'invalid_request_error' : 'api_error';
      const answer: Answer = [fate.status, refusal(type, fate.name, fate.message ?? 'Refused.')];
      // What is refused before the request is carried out is not kept. What was answered before is repeated instead.
      if (fate.status === 400) return this.#once(platform, request, () => answer);
      return answer;
    }
    const answer = work();
    return fate === 'lose the answer' ? null : answer;
  }

  /** Carries a request out, or repeats the answer of the first one with its key. */
  #once(platform: StripePlatform, { key, body }: { key: string; body: string }, work: () => Answer): Answer {
    const now = this.now().getTime();
    const former = platform.known.get(key);
    if (former && former.until > now) {
      if (former.body === body) return former.answer;
      return [
        400,
        refusal('idempotency_error', undefined, 'Keys for idempotent requests can only be used with the same parameters.'),
      ];
    }
    const answer = work();
    // The answer stays as it was, whatever becomes of the object.
    platform.known.set(key, { body, answer: [answer[0], JSON.parse(JSON.stringify(answer[1]))], until: now + DAY_MS });
    return answer;
  }

  #create(platform: StripePlatform, form: URLSearchParams): Answer {
    const [amount, currency] = [Number(form.get('amount')), form.get('currency')!];
    const destination = form.get('destination')!;
    if (destination.endsWith('Closed'))
      return [400, refusal('invalid_request_error', 'account_closed', `The account ${destination} is closed.`)];
    const there = platform.balance?.get(currency.toUpperCase()) ?? 0;
    if (platform.balance !== null && there < amount)
      return [400, refusal('invalid_request_error', 'balance_insufficient', 'You have insufficient funds in your account.')];
    platform.balance?.set(currency.toUpperCase(), there - amount);
    const created = Math.floor(this.now().getTime() / 1_000);
    const id = shortId('tr');
    const transfer: StripeTransfer = {
      id,
      object: 'transfer',
      amount,
      amount_reversed: 0,
      balance_transaction: {
        id: shortId('txn'),
        object: 'balance_transaction',
        amount: -amount,
        available_on: created,
        created,
        currency,
        description: null,
        exchange_rate: null,
        fee: 0,
        fee_details: [],
        net: -amount,
        reporting_category: 'transfer',
        source: id,
        status: 'available',
        type: 'transfer',
        balance_type: 'payments',
      },
      created,
      currency,
      description: form.get('description'),
      destination,
      livemode: !platform.isSandbox,
      metadata: { affiliate_payout_attempt: form.get('metadata[affiliate_payout_attempt]')! },
      reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
      reversed: false,
      source_transaction: null,
      transfer_group: form.get('transfer_group'),
    };
    platform.transfers.push(transfer);
    return [200, collapsed(transfer)];
  }

  #reverse(platform: StripePlatform, transfer: StripeTransfer): Answer {
    if (platform.emptied.has(transfer.destination))
      return [400, refusal('invalid_request_error', 'balance_insufficient', 'The account has insufficient funds.')];
    const amount = transfer.amount - transfer.amount_reversed;
    platform.reverse(transfer, amount);
    return [
      200,
      {
        id: shortId('trr'),
        object: 'transfer_reversal',
        amount,
        balance_transaction: null,
        created: Math.floor(this.now().getTime() / 1_000),
        currency: transfer.currency,
        destination_payment_refund: null,
        metadata: {},
        source_refund: null,
        transfer: transfer.id,
      },
    ];
  }

  #addEndpoint(platform: StripePlatform, form: URLSearchParams): Answer {
    const endpoint = {
      id: shortId('we'),
      url: form.get('url')!,
      secret: shortId('whsec'),
      enabled_events: [0, 1, 2].map((at) => form.get(`enabled_events[${at}]`)!),
    };
    platform.endpoints.push(endpoint);
    return [200, { object: 'webhook_endpoint', ...endpoint }];
  }
}

/** The transfer without the object behind an id. */
function collapsed(transfer: StripeTransfer) {
  return { ...transfer, balance_transaction: transfer.balance_transaction.id };
}

function refusal(type: string, code: string | undefined, message: string) {
  return { error: { type, ...(code !== undefined && { code }), message } };
}
