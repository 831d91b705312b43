import { randomUUID } from 'node:crypto';
import {
  DEMO_DOMAIN,
  type Services,
  appRouter,
  createCallerFactory,
  recordPastVisits,
  sweepDueCommissions,
  toInstant,
  lockedEndpoint,
  recordAttempts,
  takeDueRounds,
} from '@affiliate/core';
import { addressOf, DEMO_AFFILIATES, DEMO_APPLICANTS, type DemoAffiliate } from './people.ts';
import type { PlannedDay, PlannedSale, PlannedVisit } from './plan-life.ts';

/** Maximum number of deliveries that are attempted at once. */
const AT_ONCE = 100;

const ANSWERS = {
  up: { response_status: 200, response_excerpt: '', error_code: null },
  down: { response_status: 503, response_excerpt: 'Down for maintenance', error_code: 'http_503' },
} as const;

/** Records attempts of the due deliveries of an endpoint, as if its receiver had answered like this. Sends nothing. */
async function pretendToDeliver(services: Services, endpointId: string, receiver: keyof typeof ANSWERS): Promise<void> {
  const [round] = await takeDueRounds(services, [{ lock: lockedEndpoint(endpointId), limit: AT_ONCE, except: [] }]);
  if (round instanceof Error) throw round;
  if (!round || round.deliveries.length === 0) return;
  const started_at = toInstant(services.clock.now());
  const outcomes = round.deliveries.map((delivery, index) => ({
    delivery,
    started_at,
    duration_ms: 40 + 7 * (index % 10),
    request_headers: { 'content-type': 'application/json', 'webhook-id': delivery.id },
    response_headers: { 'content-type': 'text/plain' },
    ...ANSWERS[receiver],
  }));
  await recordAttempts(services, [{ endpoint: round.endpoint, outcomes }]);
}

const SHOP = 'https://shop.example.com';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 86_400_000;

/** Days on which something happens once. */
const FIRST_EXPORT = 50;
const SECOND_EXPORT = 75;
const ENDPOINT_SET_UP = 80;
const RECEIVER_DOWN = 82;
const PAYMENT_BY_HAND = 82;
const REFUND_OF_PENDING = 84;
const REFUND_OF_PAID = 88;
/** Days between two sweeps of due commissions. */
const SWEEP_EVERY = 3;
/** Times after a failed delivery at which it is repeated on the same day: later than the first two delays of the retry schedule. */
const RETRIES_MS = [10 * SECOND_MS, 7 * MINUTE_MS];
const REFERRAL_DAYS = 60;

/** The order of events within a day, as shares of the day. Visits and purchases happen between `JOINING` and `VISITS_WRITTEN`. */
const JOINING = 0.1;
const VISITS_WRITTEN = 0.92;
const SALES_REPORTED = 0.93;
const EVENING = 0.94;

const QUESTION = { label: 'Where will you recommend us?', kind: 'text' as const, required: true };

const createCaller = createCallerFactory(appRouter);

interface ReportedSale {
  external_id: string;
  amount_cents: number;
}

/** A link of an affiliate, as `links.create` returns it. */
interface DemoLink {
  id: string;
  url: string;
  tracking_url: string;
  affiliate_id: string;
  campaign_id: string;
}

/**
 * Lives the planned days of a demo account, day by day, with a clock that is set to the times of the plan. The changes are made by the operations of
 * the service, so that the books and the events are what they would be after real days. Sends nothing: no mail, no webhook, no job.
 */
export class DemoLife {
  readonly #services: Services;
  readonly #accountId: string;
  readonly #links: DemoLink[] = [];
  readonly #referrals = new Map<number, string>();
  readonly #sales: (ReportedSale & { day: number })[] = [];
  #campaigns = { friends: '', partners: '' };
  #endpointId = '';

  constructor(services: Services, accountId: string) {
    this.#services = services;
    this.#accountId = accountId;
  }

  /** Creates the campaigns, and returns the tracking URL of the first affiliate after the last day. */
  async live(days: readonly PlannedDay[], now: number): Promise<string> {
    await this.#openProgram(days[0]!.midnight);
    for (const day of days) await this.#liveDay(day);
    await sweepDueCommissions(servicesAt(this.#services, now));
    // If nothing was announced on the day on which the receiver went down, the five days are not over yet.
    await this.#callerAt(now).webhookEndpoints.update({ id: this.#endpointId, active: false });
    return this.#links[0]!.tracking_url;
  }

  async #openProgram(at: number): Promise<void> {
    const caller = this.#callerAt(at);
    const terms = { url: SHOP, reward_type: 'percent' as const, days_until_commissions_are_due: 21, minimum_payout_cents: 2_000 };
    const partners = await caller.campaigns.create({ ...terms, name: 'Content partners', commission_percent: 30 });
    const friends = await caller.campaigns.create({
      ...terms,
      name: 'Friends of the shop',
      commission_percent: 20,
      default: true,
    });
    this.#campaigns = { friends: friends.id, partners: partners.id };
    await caller.portalSettings.update({ questions: [{ ...QUESTION, choices: [] }] });
  }

  async #liveDay({ day, midnight, span, visits, sales }: PlannedDay): Promise<void> {
    const at = (share: number) => midnight + Math.floor(share * span);
    for (const affiliate of DEMO_AFFILIATES) if (affiliate.joins === day) await this.#join(affiliate, at(JOINING));
    await this.#apply(day, at(JOINING));
    await this.#recordVisits(visits, at(VISITS_WRITTEN));
    for (const [index, sale] of sales.entries()) await this.#report(sale, day, at(SALES_REPORTED) + index * SECOND_MS);
    const evening = at(EVENING);
    if (day % SWEEP_EVERY === 0) await sweepDueCommissions(servicesAt(this.#services, evening));
    if (day === FIRST_EXPORT || day === SECOND_EXPORT) await this.#payByExport(evening);
    if (day === PAYMENT_BY_HAND) await this.#payByHand(evening);
    if (day === ENDPOINT_SET_UP) await this.#setUpEndpoint(evening);
    if (day === REFUND_OF_PENDING)
      await this.#refund(
        this.#sales.find((sale) => sale.day >= day - 7),
        1,
        evening,
      );
    if (day === REFUND_OF_PAID) await this.#refund(this.#sales[0], 0.5, evening);
    if (day >= ENDPOINT_SET_UP) await this.#deliver(day, evening + SECOND_MS);
  }

  async #join({ first_name, last_name, isPartner }: DemoAffiliate, at: number): Promise<void> {
    const caller = this.#callerAt(at);
    const campaign_id = isPartner ? this.#campaigns.partners : this.#campaigns.friends;
    const walleta_email = addressOf(`${first_name}.pays`);
    const email = addressOf(first_name);
    const { id } = await caller.affiliates.create({ email, first_name, last_name, campaign_id, walleta_email });
    this.#links.push(await caller.links.create({ affiliate_id: id, campaign_id, url: SHOP }));
  }

  async #apply(day: number, at: number): Promise<void> {
    for (const { first_name, last_name, answer } of DEMO_APPLICANTS.filter(({ applies }) => applies === day)) {
      const applicant = { email: addressOf(`${first_name}.${last_name}`), first_name, last_name, state: 'pending' as const };
      const { id } = await this.#callerAt(at).affiliates.create(applicant);
      await this.#services.database.kysely
        .insertInto('affiliate_application')
        .values({
          affiliate_id: id,
          account_id: this.#accountId,
          answers: JSON.stringify([{ question: QUESTION.label, answer }]),
          note: null,
          language: 'en',
          applied_at: toInstant(new Date(at)),
          decided_at: null,
        })
        .execute();
    }
  }

  async #recordVisits(visits: readonly PlannedVisit[], at: number): Promise<void> {
    const past = visits.map(({ affiliate, address, userAgent, country, query, at: visitedAt }) => ({
      at: toInstant(new Date(visitedAt)),
      link: this.#links[affiliate]!,
      expires_at: toInstant(new Date(visitedAt + REFERRAL_DAYS * DAY_MS)),
      client: {
        address,
        userAgent,
        country,
        query,
        referrer: DEMO_AFFILIATES[affiliate]!.page,
        language: 'en',
        origin: undefined,
      },
    }));
    const ids = await recordPastVisits(servicesAt(this.#services, at), this.#accountId, past);
    for (const [index, { customer }] of visits.entries()) if (customer) this.#referrals.set(customer.number, ids[index]!);
  }

  async #report({ at: chargedAt, customer }: PlannedSale, day: number, at: number): Promise<void> {
    const external_id = `demo-order-${this.#sales.length + 1_001}`;
    const { number, name, email, description, amount_cents } = customer;
    await this.#callerAt(at).tracking.recordSale({
      external_id,
      referral_id: this.#referrals.get(number)!,
      external_customer_id: `demo-customer-${number}`,
      customer_email: email,
      customer_name: name,
      description,
      amount_cents,
      currency: 'USD',
      charged_at: toInstant(new Date(chargedAt)),
    });
    this.#sales.push({ external_id, amount_cents, day });
  }

  async #payByExport(at: number): Promise<void> {
    await sweepDueCommissions(servicesAt(this.#services, at));
    const caller = this.#callerAt(at);
    const { formats } = await caller.payoutExports.check({});
    if (formats.every(({ payouts_count }) => payouts_count === 0)) return;
    const { id } = await caller.payoutExports.create({ export_format: 'csv' });
    await this.#callerAt(at + SECOND_MS).payoutExports.pay({ payout_export_id: id, payment_reference: `SEPA ${id.slice(-6)}` });
  }

  async #payByHand(at: number): Promise<void> {
    await sweepDueCommissions(servicesAt(this.#services, at));
    const [payout] = (await this.#callerAt(at).payouts.list({ state: ['due'] })).data;
    if (payout) await this.#callerAt(at).payouts.pay({ id: payout.id, payment_reference: 'Paid by hand' });
  }

  async #refund(sale: ReportedSale | undefined, share: number, at: number): Promise<void> {
    if (!sale) return;
    const { external_id, amount_cents } = sale;
    const refund = { external_id, refund_id: `refund-of-${external_id}`, amount_cents: Math.round(share * amount_cents) };
    await this.#callerAt(at).tracking.recordRefund(refund);
  }

  async #setUpEndpoint(at: number): Promise<void> {
    const { id } = await this.#callerAt(at).webhookEndpoints.create({
      name: 'Order system',
      url: `https://hooks.${DEMO_DOMAIN}/affiliate`,
      event_types: ['commission.created', 'commission.due', 'payout.paid'],
    });
    this.#endpointId = id;
  }

  /** The receiver goes down for good on `RECEIVER_DOWN`, so the service deactivates the endpoint five days later. */
  async #deliver(day: number, at: number): Promise<void> {
    const receiver = day < RECEIVER_DOWN ? 'up' : 'down';
    await pretendToDeliver(servicesAt(this.#services, at), this.#endpointId, receiver);
    if (receiver === 'up') return;
    for (const later of RETRIES_MS) await pretendToDeliver(servicesAt(this.#services, at + later), this.#endpointId, receiver);
  }

  #callerAt(at: number) {
    const principal = { kind: 'system' as const, account_id: this.#accountId };
    const services = servicesAt(this.#services, at);
    return createCaller({ services, requestId: randomUUID(), principal, surface: 'v1', reply: {} });
  }
}

/** A public address. Nothing is sent to it: the endpoint that has it is inactive when the demo is complete. */
const ANY_ADDRESS = '1.1.1.1';

/**
 * Returns the services with their clock at a time, without jobs, which would be done at the real time, and without a name server. What the jobs would
 * do is found by the sweeps of the workers, which start later.
 */
export function servicesAt(services: Services, at: number): Services {
  return {
    ...services,
    clock: { now: () => new Date(at) },
    jobs: { send: () => undefined },
    webhooks: { ...services.webhooks, resolve: () => Promise.resolve([ANY_ADDRESS]) },
  };
}
