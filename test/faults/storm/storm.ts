import { setTimeout as delay } from 'node:timers/promises';
import { HookReceiver } from '../../support/hook-receiver.ts';
import { Api, type Fields, type Reply, send } from '../../support/http.ts';
import { Arrivals } from './arrivals.ts';
import { type Installation, newMerchant } from './installation.ts';

const CLIENTS = 4;
const AFFILIATES = 10;
const SALE_CENTS = 10_000;
const COMMISSION_CENTS = 1_000;
/** Default pause between two sales of a client, so that the processor's speed does not influence the results. */
const PAUSE_MS = 20;
/** Pause before a refused or unanswered request is sent again. */
const RETRY_MS = 200;
/** A request without a response for this long counts as unanswered. */
const ANSWER_MS = 30_000;
/** Default number of sales before and after a fault. */
const CALM_SALES = 100;
/** Longest wait for the webhooks of a fault. Longer than any pause between delivery attempts after a one-minute fault. */
const ARRIVE_MS = 120_000;

export interface Fault {
  name: string;
  /** Causes the fault and ends it. Can do other work during the fault. Returns the outcome of that work. */
  strike: (installation: Installation) => Promise<Tally | void>;
  /** Returns why the fault cannot be caused on this machine, or null. */
  obstacle?: (installation: Installation) => string | null;
}

/** Outcome of the work that a fault does while the storm reports sales. Does not include these sales. */
export interface Tally {
  items: number;
  lost: number;
  doubled: number;
  /** Number of processes that were killed. */
  kills?: number;
  /** Milliseconds from the replacement of all killed processes to the end of the work. Absent for work that consists of requests. */
  resumedMs?: number;
}

export interface Outcome {
  fault: string;
  sales: number;
  /** Items of the work that the fault did in addition to the sales: clicks, payouts, commissions that fall due, emails. */
  items: number;
  /** Processes that were killed in the middle of work. */
  kills: number;
  /** Items that were acknowledged, but are missing afterwards. */
  lost: number;
  /** Items that were recorded, or earned a commission, more than once. */
  doubled: number;
  /** Requests that got no HTTP response. Each was repeated with the same key. */
  unanswered: number;
  /** Requests that got 429, 503, or 409 `OPERATION_PENDING`. */
  refused: number;
  /** Other failures of requests. */
  problems: string[];
  /** Milliseconds from the end of the fault to the first recorded sale. */
  healthyMs: number;
  /** Longest time in milliseconds without a recorded sale. */
  gapMs: number;
  /** `resumedMs` of the Tally, or null if it is absent. */
  resumedMs: number | null;
  /** Events that had not arrived two minutes after the last sale. */
  undelivered: number;
  /** Arrivals that repeat a delivery of this or an earlier fault. All had the same bytes as the first arrival. */
  repeated: number;
  discrepancies: unknown[];
}

/** A merchant with a shop that reports sales continuously, and with a webhook endpoint for commissions. */
export class Storm implements AsyncDisposable {
  readonly #installation: Installation;
  readonly #receiver: HookReceiver;
  readonly #headers: Record<string, string>;
  readonly #referrals: string[];
  readonly #arrivals: Arrivals;
  readonly #pauseMs: number;
  readonly #calmSales: number;
  /** Number of sales recorded since the storm began, across all its faults. */
  #sales = 0;

  private constructor(
    installation: Installation,
    receiver: HookReceiver,
    headers: Record<string, string>,
    referrals: string[],
    { pauseMs, calmSales }: { pauseMs: number; calmSales: number },
  ) {
    this.#installation = installation;
    this.#pauseMs = pauseMs;
    this.#calmSales = calmSales;
    this.#receiver = receiver;
    this.#arrivals = new Arrivals(receiver);
    this.#headers = headers;
    this.#referrals = referrals;
  }

  static async begin(installation: Installation, { pauseMs = PAUSE_MS, calmSales = CALM_SALES } = {}): Promise<Storm> {
    const receiver = await HookReceiver.start();
    const { headers } = await newMerchant(installation);
    const api = new Api(installation.rest.url, headers);
    const made = async (path: string, body: Fields, status = 201) => {
      const reply = await api.post<{ id: string }>(path, body);
      if (reply.status !== status) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
      return reply.body.id;
    };
    await made('/trpc/webhookEndpoints.create', { name: 'Shop', url: receiver.url, event_types: ['commission.created'] }, 200);
    const url = 'https://shop.example.com/';
    const campaign_id = await made('/campaigns', { name: 'Friends', url, reward_type: 'percent', commission_percent: 10 });
    const referrals: string[] = [];
    for (let nth = 0; nth < AFFILIATES; nth += 1) {
      const affiliate_id = await made('/affiliates', { email: `affiliate-${nth}@example.com`, campaign_id });
      referrals.push(await made('/referrals', { link_id: await made('/links', { affiliate_id, campaign_id, url }) }));
    }
    return new Storm(installation, receiver, headers, referrals, { pauseMs, calmSales });
  }

  /** Reports sales before, during and after a fault, waits for all webhooks, and compares the records with the responses. */
  async weather({ name, strike }: Fault): Promise<Outcome> {
    const shop = new Shop(this.#installation, this.#headers, this.#referrals, name, this.#pauseMs);
    const [first] = await this.#installation.ask<{ now: string }>('select now()::text as now');
    const open = shop.open();
    await shop.recorded(this.#calmSales);
    const tally: Tally = (await strike(this.#installation)) ?? { items: 0, lost: 0, doubled: 0 };
    const ended = performance.now();
    await shop.recorded(1);
    const healthyMs = performance.now() - ended;
    await shop.recorded(this.#calmSales);
    shop.close();
    await open;
    this.#sales += shop.acknowledged.size;
    const { lost, doubled } = await this.#compare(shop, first!.now);
    const { repeated, undelivered } = await this.#arrivals.until(this.#sales, ARRIVE_MS);
    const api = new Api(this.#installation.rest.url, this.#headers);
    const { body } = await api.get<{ discrepancies: unknown[] }>('/payout_runs/reconcile');
    return {
      fault: name,
      sales: shop.acknowledged.size,
      items: tally.items,
      kills: tally.kills ?? 0,
      lost: lost + tally.lost,
      doubled: doubled + tally.doubled,
      unanswered: shop.unanswered,
      refused: shop.refused,
      problems: shop.problems,
      healthyMs: Math.round(healthyMs),
      gapMs: Math.round(shop.longestGapMs),
      resumedMs: tally.resumedMs ?? null,
      undelivered,
      repeated,
      discrepancies: body.discrepancies,
    };
  }

  /** Reads lists repeatedly until `isOver` returns true. Throws if a request fails. */
  async readUntil(isOver: () => boolean, pauseMs: number): Promise<void> {
    const api = new Api(this.#installation.rest.url, this.#headers);
    const paths = [
      '/commissions?expand=sale',
      '/affiliates',
      '/payouts?eligible=true',
      '/analytics?group_by=affiliate',
      '/referrals',
    ];
    for (let nth = 0; !isOver(); nth += 1) {
      const [path = '', query = ''] = paths[nth % paths.length]!.split('?');
      const { status, text } = await api.send('GET', path, { query });
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
      await delay(pauseMs);
    }
  }

  /** Reports a sale. Counts it unless it had been recorded before. */
  async report(external_id: string): Promise<Reply> {
    const sale = { external_id, referral_id: this.#referrals[0], amount_cents: SALE_CENTS, currency: 'USD' };
    const reply = await send(`${this.#installation.rest.url}/track/sales`, 'POST', { headers: this.#headers, body: sale });
    if (reply.status === 201) this.#sales += 1;
    return reply;
  }

  /** Reports sales one after the other. Measures the time from each response to the arrival of its webhook. */
  async deliveryTimes(count: number): Promise<{ medianMs: number }> {
    const times: number[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      await this.report(`timed ${nth}`);
      const start = performance.now();
      await this.#arrivals.until(this.#sales, ARRIVE_MS);
      times.push(performance.now() - start);
    }
    return { medianMs: times.toSorted((one, other) => one - other)[Math.floor(count / 2)]! };
  }

  async #compare({ acknowledged }: Shop, since: string): Promise<{ lost: number; doubled: number }> {
    const rows = await this.#installation.ask<{ external_id: string; sales: number; commissions: number; cents: number }>(
      `select s.external_id, count(distinct s.id)::int as sales, count(c.id)::int as commissions, coalesce(sum(c.amount_cents), 0)::int as cents
       from sale s left join commission c on c.sale_id = s.id and c.voided_at is null
       where s.created_at >= $1::timestamptz - interval '1 second' and s.external_id = any($2)
       group by s.external_id`,
      [since, [...acknowledged]],
    );
    const whole = rows.filter(({ sales, commissions, cents }) => sales === 1 && commissions === 1 && cents === COMMISSION_CENTS);
    const missing = acknowledged.size - rows.length + rows.filter(({ commissions }) => commissions === 0).length;
    return { lost: missing, doubled: rows.length - whole.length - rows.filter(({ commissions }) => commissions === 0).length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]();
  }
}

/** Reports sales, and repeats requests that were not answered or were refused. */
class Shop {
  readonly acknowledged = new Set<string>();
  readonly problems: string[] = [];
  unanswered = 0;
  refused = 0;
  longestGapMs = 0;
  readonly #installation: Installation;
  readonly #headers: Record<string, string>;
  readonly #referrals: string[];
  readonly #name: string;
  readonly #pauseMs: number;
  #isOpen = true;
  #lastMs = performance.now();
  #waiting: { count: number; resolve: () => void }[] = [];

  constructor(installation: Installation, headers: Record<string, string>, referrals: string[], name: string, pauseMs: number) {
    this.#installation = installation;
    this.#pauseMs = pauseMs;
    this.#headers = headers;
    this.#referrals = referrals;
    this.#name = name;
  }

  /** Reports sales until the shop is closed. Settles when each of them is recorded. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#work(client)));
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Settles after this many more sales. */
  recorded(count: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ count: this.acknowledged.size + count, resolve }));
  }

  async #work(client: number): Promise<void> {
    let nth = 0;
    while (this.#isOpen) {
      const external_id = `${this.#name} ${client}-${nth}`;
      while (!(await this.#report(external_id, this.#referrals[(client + nth * CLIENTS) % AFFILIATES]!))) await delay(RETRY_MS);
      nth += 1;
      await delay(this.#pauseMs);
    }
  }

  /** Sends a report. Returns true if the sale needs no further attempt. */
  async #report(external_id: string, referral_id: string): Promise<boolean> {
    const reply = await this.#post({ external_id, referral_id, amount_cents: SALE_CENTS, currency: 'USD' });
    if (reply === null) {
      this.unanswered += 1;
      return false;
    }
    // 409: an earlier attempt is still running, because its process has not noticed the lost connection yet.
    const isPending = reply.status === 409 && reply.body['code'] === 'OPERATION_PENDING';
    if (reply.status === 429 || reply.status === 503 || isPending) {
      this.refused += 1;
      return false;
    }
    // 200: the sale was recorded already.
    if (reply.status !== 201 && reply.status !== 200) {
      const log = this.#installation.rest.output().split('\n');
      const cause = log.find((line) => line.includes(String(reply.headers.get('x-request-id'))) && line.includes('"err"'));
      this.problems.push(`${reply.status} ${(cause ?? reply.text).slice(0, 3_000)}`);
      return false;
    }
    this.acknowledged.add(external_id);
    const now = performance.now();
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastMs);
    this.#lastMs = now;
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      const isReached = this.acknowledged.size >= count;
      if (isReached) resolve();
      return !isReached;
    });
    return true;
  }

  async #post(sale: Fields & { external_id: string }): Promise<Reply | null> {
    const headers = { ...this.#headers, 'Idempotency-Key': sale.external_id };
    const answer = send(`${this.#installation.rest.url}/track/sales`, 'POST', { headers, body: sale }).catch(() => null);
    const late = delay(ANSWER_MS, null, { ref: false });
    return Promise.race([answer, late]);
  }
}
