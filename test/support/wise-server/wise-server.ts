/** A double of Wise's API on loopback. Its objects have the published fields (published.ts). The sandbox is below `/sandbox`. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { idOfUuid } from '../../../packages/core/src/platform/wire/ids.ts';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { DoubleAccount, Fate, Made, RailDouble, SignedNotice, Stage } from '../rail-double.ts';
import type { Balance, Funding, Payment, Profile, Quote, Recipient, Subscription, Transfer } from './published.ts';

/** The fate of the next request to pay a transfer in, beside the fates of all rails. `forbid`: Wise asks for a second factor. */
type FundingFate = Fate | 'forbid' | 'reject';

const DAY_MS = 86_400_000;
const WAITING = 'incoming_payment_waiting';
const STATUSES: Readonly<Record<Stage, string>> = {
  pending: 'processing',
  unclaimed: 'waiting_recipient_input_to_proceed',
  arrived: 'outgoing_payment_sent',
  failed: 'cancelled',
  returned: 'funds_refunded',
  'unheard of': 'eaten_by_a_dog',
};
const STAGES = new Map(Object.entries(STATUSES).map(([stage, status]) => [status, stage as Stage]));

/** Wise's fee: 0.50, in the currency from which is paid. */
const FEE = 0.5;
/** Units of the target's currency for one of the source's, if they differ. */
const RATE = 0.8;

let lastId = 50_000_000;
const nextId = () => (lastId += 7);

interface TransferRequest {
  targetAccount: number;
  quoteUuid: string;
  customerTransactionId: string;
  details: { reference: string };
}

/** A profile of a business at Wise, with its token. */
export class WiseProfile implements DoubleAccount {
  readonly id = nextId();
  readonly token = randomUUID();
  readonly isSandbox: boolean;
  readonly transfers: Transfer[] = [];
  readonly quotes = new Map<string, Quote>();
  readonly recipients = new Map<number, Recipient & { details: Record<string, unknown> }>();
  readonly payments = new Map<number, Payment[]>();
  readonly posts: string[] = [];
  /** Transfers that were refused for their content, by their ids. */
  readonly invalid = new Map<string, Answer>();
  subscriptions: Subscription[] = [];
  fates: Fate[] = [];
  /** The fates of the next requests to pay a transfer in. */
  fundingFates: FundingFate[] = [];
  /** The fates of the next requests for a recipient. */
  recipientFates: Fate[] = [];
  balance: Map<string, number> | null = null;
  /** True if Wise lets no token pay in. */
  isFundedByHand = false;
  readonly waiting: { since: number; work: () => void }[] = [];
  readonly #server: WiseServer;

  constructor(server: WiseServer, isSandbox: boolean) {
    this.#server = server;
    this.isSandbox = isSandbox;
  }

  get credentials() {
    return { api_token: this.token };
  }

  get made(): Made[] {
    return this.transfers.map(({ id, status, customerTransactionId, targetValue, targetCurrency }) => ({
      key: idOfUuid('payout_attempt', customerTransactionId)!,
      cents: Math.round(targetValue * 100),
      currency: targetCurrency,
      stage: STAGES.get(status) ?? 'pending',
      isNew: status === WAITING || status === 'processing',
      id: String(id),
    }));
  }

  transferOf(key: string): Transfer {
    return this.transfers.find(({ customerTransactionId }) => idOfUuid('payout_attempt', customerTransactionId) === key)!;
  }

  process(stage: Stage = 'arrived'): void {
    for (const transfer of this.transfers) if (transfer.status === 'processing') transfer.status = STATUSES[stage];
  }

  turn(key: string, stage: Stage): void {
    this.transferOf(key).status = STATUSES[stage];
  }

  misstate(key: string, cents: number): void {
    this.transferOf(key).targetValue = cents / 100;
  }

  arrive(): void {
    for (const { since, work } of this.waiting.splice(0)) if (since > this.#server.now().getTime() - DAY_MS) work();
  }

  /** A person pays everything in at Wise. */
  payIn(): void {
    for (const transfer of this.transfers) if (transfer.status === WAITING) this.settle(transfer, 'BANK_TRANSFER');
  }

  settle(transfer: Transfer, method: string): void {
    const { sourceAmount, sourceCurrency } = this.quotes.get(transfer.quoteUuid)!.paymentOptions[0]!;
    const at = this.#server.now().toISOString();
    const payment = { id: nextId(), method, amount: sourceAmount, currency: sourceCurrency, timeCreated: at, timeUpdated: at };
    this.payments.set(transfer.id, [payment]);
    if (method === 'BALANCE') {
      const there = this.balance?.get(sourceCurrency) ?? 0;
      this.balance?.set(sourceCurrency, there - Math.round(sourceAmount * 100));
    }
    transfer.status = 'processing';
  }

  notice(key: string, type = 'transfers#state-change', more: Record<string, unknown> = {}): SignedNotice {
    const { id, status, targetAccount } = this.transferOf(key);
    const resource = { type: 'transfer', id, profile_id: this.id, account_id: targetAccount, ...more };
    const occurred_at = this.#server.now().toISOString();
    const data = { resource, current_state: status, previous_state: null, occurred_at };
    return this.#server.sign(
      JSON.stringify({
        data,
        subscription_id: this.subscriptions[0]?.id ?? randomUUID(),
        event_type: type,
        schema_version: '2.0.0',
        sent_at: occurred_at,
      }),
    );
  }
}

export class WiseServer extends DoubleServer implements RailDouble {
  readonly profiles: WiseProfile[] = [];
  now: () => Date = () => new Date();
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  get publicKey(): string {
    return this.#keys.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  }

  addAccount(isSandbox = false): WiseProfile {
    const profile = new WiseProfile(this, isSandbox);
    this.profiles.push(profile);
    return profile;
  }

  sign(body: string, headers: Record<string, string> = {}): SignedNotice {
    const signature = sign('sha256', Buffer.from(body), this.#keys.privateKey).toString('base64');
    return { body, headers: { 'x-signature-sha256': signature, 'x-delivery-id': randomUUID(), ...headers } };
  }

  protected override answer(
    { pathname, searchParams }: URL,
    { method, headers }: IncomingMessage,
    sent: Record<string, unknown>,
  ): Answer | null {
    const isSandbox = pathname.startsWith('/sandbox/');
    const path = isSandbox ? pathname.slice('/sandbox'.length) : pathname;
    const profile = this.profiles.find(
      (each) => headers.authorization === `Bearer ${each.token}` && each.isSandbox === isSandbox,
    );
    if (!profile) return [401, { error: 'unauthorized', error_description: 'Invalid token' }];
    return this.#route(profile, `${method} ${path}`, sent, searchParams);
  }

  #route(profile: WiseProfile, route: string, sent: Record<string, unknown>, query: URLSearchParams): Answer | null {
    const own = `/v3/profiles/${profile.id}`;
    const [, transferId = '', action = ''] = /transfers\/(\d+)(?:\/(\w+))?$/.exec(route) ?? [];
    const transfer = profile.transfers.find(({ id }) => String(id) === transferId);
    if (route === 'GET /v2/profiles') return [200, [{ id: profile.id, type: 'BUSINESS', userId: 1 } satisfies Profile]];
    if (route === `GET /v4/profiles/${profile.id}/balances`) return [200, this.#balances(profile)];
    if (route === 'POST /v1/accounts') return this.#addRecipient(profile, sent);
    if (route === `POST ${own}/quotes`) return [200, this.#quote(profile, sent)];
    if (route.startsWith(`GET ${own}/quotes/`)) return found(profile.quotes.get(route.split('/').at(-1)!));
    if (route === 'POST /v1/transfers') return this.#transfer(profile, sent as unknown as TransferRequest);
    if (route === 'GET /v1/transfers') return [200, this.#listed(profile, query)];
    if (route === `POST ${own}/transfers/${transferId}/payments`)
      return transfer ? this.#fund(profile, transfer) : found(undefined);
    if (route.startsWith('GET /v1/transfers/') && action === 'payments')
      return [200, profile.payments.get(Number(transferId)) ?? []];
    if (route.startsWith('GET /v1/transfers/')) return found(transfer);
    if (route.startsWith('PUT /v1/transfers/') && action === 'cancel')
      return transfer ? this.#cancel(transfer) : found(undefined);
    if (route === `GET ${own}/subscriptions`) return [200, profile.subscriptions];
    if (route === `POST ${own}/subscriptions`) return this.#subscribe(profile, sent as unknown as Subscription);
    if (route.startsWith(`DELETE ${own}/subscriptions/`)) {
      profile.subscriptions = profile.subscriptions.filter(({ id }) => !route.endsWith(id));
      return [204];
    }
    return found(undefined);
  }

  #balances(profile: WiseProfile): Balance[] {
    return [...(profile.balance ?? new Map([['USD', 100_000_000]]))].map(([currency, cents]) => ({
      id: nextId(),
      currency,
      type: 'STANDARD',
      amount: { value: cents / 100, currency },
      reservedAmount: { value: 0, currency },
    }));
  }

  #addRecipient(profile: WiseProfile, sent: Record<string, unknown>): Answer | null {
    const fate = profile.recipientFates.shift() ?? 'accept';
    if (fate === 'lose the request' || fate === 'lose the answer' || fate === 'straggle') return null;
    if (fate === 'html') return [403, '<html>Please wait</html>', { 'Content-Type': 'text/html' }];
    const details = sent['details'] as Record<string, string>;
    if (typeof fate === 'object') return [fate.status, faults(fate.name, fate.message ?? 'Refused.')];
    // The number of an account that no bank has.
    const number = details['IBAN'] ?? details['accountNumber'] ?? '';
    if (number.endsWith('0000')) return [400, faults('NOT_VALID', `Unknown account ${number}.`)];
    const recipient = {
      id: nextId(),
      creatorId: 1,
      profileId: profile.id,
      name: { fullName: String(sent['accountHolderName']) },
      currency: String(sent['currency']),
      type: String(sent['type']),
      legalEntityType: 'PERSON',
      active: true,
      details,
    };
    profile.recipients.set(recipient.id, recipient);
    return [200, recipient];
  }

  #quote(profile: WiseProfile, sent: Record<string, unknown>): Quote {
    const [sourceCurrency, targetCurrency] = [String(sent['sourceCurrency']), String(sent['targetCurrency'])];
    const targetAmount = Number(sent['targetAmount']);
    const rate = sourceCurrency === targetCurrency ? 1 : RATE;
    const sourceAmount = Math.round((targetAmount / rate + FEE) * 100) / 100;
    const at = this.now();
    const option = (payIn: string, extra: number) => ({
      disabled: false,
      fee: { transferwise: FEE, payIn: extra, discount: 0, partner: 0, total: FEE + extra },
      sourceAmount: sourceAmount + extra,
      targetAmount,
      sourceCurrency,
      targetCurrency,
      payIn,
      payOut: 'BANK_TRANSFER',
    });
    const until = new Date(at.getTime() + 1_800_000).toISOString();
    const quote: Quote = {
      id: randomUUID(),
      sourceCurrency,
      targetCurrency,
      targetAmount,
      rate,
      createdTime: at.toISOString(),
      user: 1,
      profile: profile.id,
      rateType: 'FIXED',
      rateExpirationTime: until,
      providedAmountType: 'TARGET',
      paymentOptions: [option('BALANCE', 0), option('BANK_TRANSFER', 0.25)],
      status: 'PENDING',
      expirationTime: until,
    };
    profile.quotes.set(quote.id, quote);
    return quote;
  }

  #transfer(profile: WiseProfile, request: TransferRequest): Answer | null {
    profile.posts.push(idOfUuid('payout_attempt', request.customerTransactionId)!);
    const { customerTransactionId: id } = request;
    const fate = profile.fates.shift() ?? 'accept';
    const isMade = profile.transfers.some(({ customerTransactionId }) => customerTransactionId === id);
    const refused = profile.invalid.get(id);
    if (refused) return refused;
    const answer = this.#decide(
      profile,
      fate,
      () => this.#create(profile, request),
      () => isMade,
    );
    if (!isMade && isOfContent(fate)) profile.invalid.set(id, answer!);
    return answer;
  }

  #create(profile: WiseProfile, { targetAccount, quoteUuid, customerTransactionId, details }: TransferRequest): Answer {
    const former = profile.transfers.find((each) => each.customerTransactionId === customerTransactionId);
    if (former) return [200, former];
    const quote = profile.quotes.get(quoteUuid);
    if (!quote || profile.transfers.some((each) => each.quoteUuid === quoteUuid))
      return [422, faults('quote.invalid', 'This quote cannot be used.')];
    if (!profile.recipients.has(targetAccount)) return [422, faults('recipient.missing', 'No such recipient.')];
    const { sourceCurrency, targetCurrency, targetAmount, rate } = quote;
    const transfer: Transfer = {
      id: nextId(),
      user: 1,
      targetAccount,
      sourceAccount: null,
      quote: null,
      quoteUuid,
      status: WAITING,
      reference: details.reference,
      rate,
      created: this.now().toISOString(),
      business: profile.id,
      transferRequest: null,
      details,
      hasActiveIssues: false,
      sourceCurrency,
      sourceValue: Math.round((targetAmount / rate) * 100) / 100,
      targetCurrency,
      targetValue: targetAmount,
      customerTransactionId,
    };
    profile.transfers.push(transfer);
    return [200, transfer];
  }

  #listed(profile: WiseProfile, query: URLSearchParams): Transfer[] {
    const [start, limit, offset] = [query.get('createdDateStart')!, Number(query.get('limit')), Number(query.get('offset'))];
    return profile.transfers.filter(({ created }) => created >= start).slice(offset, offset + limit);
  }

  #fund(profile: WiseProfile, transfer: Transfer): Answer | null {
    const fate = profile.fundingFates.shift() ?? (profile.isFundedByHand ? 'forbid' : 'accept');
    const fund = (): Answer => {
      if (transfer.status !== WAITING) return [422, faults('transfer.already-funded', 'The transfer is not waiting.')];
      const { sourceAmount, sourceCurrency } = profile.quotes.get(transfer.quoteUuid)!.paymentOptions[0]!;
      const isEnough = profile.balance === null || (profile.balance.get(sourceCurrency) ?? 0) >= Math.round(sourceAmount * 100);
      if (isEnough && fate !== 'reject') profile.settle(transfer, 'BALANCE');
      const rejection = fate === 'reject' ? 'transfer.rejected' : 'balance.insufficient-funds';
      const isPaid = isEnough && fate !== 'reject';
      return [
        200,
        { type: 'BALANCE', status: isPaid ? 'COMPLETED' : 'REJECTED', errorCode: isPaid ? null : rejection } satisfies Funding,
      ];
    };
    if (fate === 'forbid') {
      const refusal = { status: 403, error: 'Forbidden', message: 'You are forbidden to send this request' };
      return [403, refusal, { 'x-2fa-approval': randomUUID(), 'x-2fa-approval-result': 'REJECTED' }];
    }
    return this.#decide(profile, fate === 'reject' ? 'accept' : fate, fund, () => transfer.status !== WAITING);
  }

  /** @param isDone true if the request has been carried out before, so that it cannot be refused for its content */
  #decide(profile: WiseProfile, fate: Fate, work: () => Answer, isDone: () => boolean): Answer | null {
    if (fate === 'lose the request') return null;
    if (fate === 'html') return [403, '<html>Please wait</html>', { 'Content-Type': 'text/html' }];
    if (fate === 'straggle') {
      profile.waiting.push({ since: this.now().getTime(), work });
      return null;
    }
    if (typeof fate === 'object' && !(isOfContent(fate) && isDone()))
      return [fate.status, faults(fate.name, fate.message ?? 'Refused.'), { 'Retry-After': fate.status === 429 ? '20' : '' }];
    const answer = work();
    return fate === 'lose the answer' ? null : answer;
  }

  #cancel(transfer: Transfer): Answer {
    if (
      !['incoming_payment_waiting', 'incoming_payment_initiated', 'processing', 'waiting_recipient_input_to_proceed'].includes(
        transfer.status,
      )
    )
      return [409, { code: 'transfer.cancellation.not.allowed', message: 'The transfer cannot be cancelled.' }];
    transfer.status = 'cancelled';
    return [200, transfer];
  }

  #subscribe(profile: WiseProfile, { name, trigger_on, delivery }: Subscription): Answer {
    if (!delivery.url.startsWith('https://')) return [422, faults('webhook.url', 'Not a valid webhook URL.')];
    const subscription: Subscription = {
      id: createHash('sha256')
        .update(trigger_on + delivery.url)
        .digest('hex')
        .slice(0, 32),
      name,
      trigger_on,
      delivery,
      scope: { domain: 'profile', id: String(profile.id) },
      created_at: this.now().toISOString(),
    };
    profile.subscriptions.push(subscription);
    return [200, subscription];
  }
}

/** True for a refusal of the content of a request. */
function isOfContent(fate: Fate): boolean {
  return typeof fate === 'object' && (fate.status === 400 || fate.status === 422);
}

function found(object: unknown): Answer {
  return object === undefined ? [404, faults('not-found', 'Not found.')] : [200, object];
}

function faults(code: string, message: string) {
  return { timestamp: '2026-11-29T00:00:00Z', errors: [{ code, message, path: '', arguments: [] }] };
}
