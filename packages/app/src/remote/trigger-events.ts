import { randomBytes } from 'node:crypto';
import { OperatorError } from '../errors.ts';
import type { RemoteService } from './remote-service.ts';

interface Made {
  id: string;
}
interface Sold {
  sale: Made & { customer_id: string };
  commission: Made;
}

/** Makes test records over the API. Each call of `sell` makes a sale of one affiliate, whose campaign holds commissions for a day. */
class TestRecords {
  readonly #service: RemoteService;
  /** Part of names and addresses, so that they differ from those of earlier calls. */
  readonly #mark = randomBytes(4).toString('hex');
  #affiliate: Promise<Made & { campaign_id: string }> | undefined;
  #sales = 0;

  constructor(service: RemoteService) {
    this.#service = service;
  }

  post<Record = Made>(path: string, body: object = {}): Promise<Record> {
    return this.#service.send({ method: 'POST', path, body }) as Promise<Record>;
  }

  change(path: string, body: object): Promise<unknown> {
    return this.#service.send({ method: 'PATCH', path, body });
  }

  remove(path: string): Promise<unknown> {
    return this.#service.send({ method: 'DELETE', path });
  }

  affiliate(): Promise<Made & { campaign_id: string }> {
    return (this.#affiliate ??= this.#newAffiliate());
  }

  async #newAffiliate(): Promise<Made & { campaign_id: string }> {
    const { id: campaign_id } = await this.post('/api/v1/campaigns', {
      name: `Triggered ${this.#mark}`,
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 10,
      days_until_commissions_are_due: 1,
    });
    const email = `triggered-${this.#mark}@partner.example`;
    return this.post('/api/v1/affiliates', {
      email,
      campaign_id,
      first_name: 'Ada',
      last_name: 'Lovelace',
      walleta_email: email,
    });
  }

  async refer(): Promise<Made> {
    const { id: affiliate_id, campaign_id } = await this.affiliate();
    return this.post('/api/v1/referrals', { affiliate_id, campaign_id });
  }

  async addRule(): Promise<Made> {
    const { campaign_id } = await this.affiliate();
    return this.post('/api/v1/reward_rules', { campaign_id, name: `Triggered ${this.#mark}`, pay: { percent: 20 } });
  }

  async addTier(): Promise<Made> {
    const { campaign_id } = await this.affiliate();
    return this.post('/api/v1/tiers', { campaign_id, name: `Triggered ${this.#mark}`, metric: 'customers', from: 10 });
  }

  async addLink(): Promise<Made> {
    const { id: affiliate_id, campaign_id } = await this.affiliate();
    return this.post('/api/v1/links', { affiliate_id, campaign_id, url: 'https://shop.example.com' });
  }

  async sell(): Promise<Sold> {
    const { id: referral_id } = await this.refer();
    this.#sales += 1;
    return this.post('/track/sales', {
      referral_id,
      external_id: this.orderId,
      customer_email: `customer-${this.#mark}-${this.#sales}@example.com`,
      amount_cents: 10_000,
      currency: 'USD',
    });
  }

  /** The id of the last sale in the shop. */
  get orderId(): string {
    return `order-${this.#mark}-${this.#sales}`;
  }

  /** Makes a sale, and moves the test clock to the day on which its commission is due. Returns the payout that holds the commission. */
  async fallDue(): Promise<Made> {
    const [{ id: affiliate_id }] = [await this.affiliate(), await this.sell()];
    await this.post('/api/settings/v1/test_clock/advance', { days: 1 });
    const query = { affiliate_id, eligible: 'true' };
    const { data } = (await this.#service.send({ method: 'GET', path: '/api/v1/payouts', query })) as { data: Made[] };
    const [payout] = data;
    if (!payout) throw new OperatorError('The commission is not in a payout that can be paid.');
    return payout;
  }
}

/** How to cause each type of event. */
const CAUSES = {
  'affiliate.created': (records) => records.affiliate(),
  'affiliate.approved': (records) => records.affiliate(),
  'affiliate.updated': async (records) =>
    records.change(`/api/v1/affiliates/${(await records.affiliate()).id}`, { last_name: 'King' }),
  'campaign.created': (records) => records.affiliate(),
  'campaign.updated': async (records) =>
    records.change(`/api/v1/campaigns/${(await records.affiliate()).campaign_id}`, { welcome_text: 'Welcome back!' }),
  'reward_rule.created': (records) => records.addRule(),
  'reward_rule.updated': async (records) => records.remove(`/api/v1/reward_rules/${(await records.addRule()).id}`),
  'tier.created': (records) => records.addTier(),
  'tier.updated': async (records) => records.remove(`/api/v1/tiers/${(await records.addTier()).id}`),
  'link.created': (records) => records.addLink(),
  'link.updated': async (records) => records.remove(`/api/v1/links/${(await records.addLink()).id}`),
  'referral.created': (records) => records.refer(),
  'referral.converted': (records) => records.sell(),
  'referral.updated': async (records) =>
    records.change(`/api/v1/referrals/${(await records.refer()).id}`, { conversion_state: 'lead' }),
  'customer.created': (records) => records.sell(),
  'customer.updated': async (records) =>
    records.change(`/api/v1/customers/${(await records.sell()).sale.customer_id}`, { name: 'Grace Hopper' }),
  'sale.recorded': (records) => records.sell(),
  'sale.refunded': async (records) => {
    await records.sell();
    await records.post('/track/refunds', { external_id: records.orderId, refund_id: records.orderId, amount_cents: 5_000 });
  },
  'commission.created': (records) => records.sell(),
  'commission.updated': async (records) =>
    records.post(`/api/v1/commissions/${(await records.sell()).commission.id}/review`, { review_action: 'suspicious' }),
  'commission.due': (records) => records.fallDue(),
  'commission.paid': async (records) => records.post(`/api/v1/payouts/${(await records.fallDue()).id}/pay`),
  'commission.voided': async (records) => records.remove(`/api/v1/commissions/${(await records.sell()).commission.id}`),
  'payout.created': (records) => records.fallDue(),
  'payout.updated': async (records) => [await records.fallDue(), await records.fallDue()],
  'payout.paid': async (records) => records.post(`/api/v1/payouts/${(await records.fallDue()).id}/pay`),
  'payout.returned': async (records) => {
    const { id } = await records.fallDue();
    await records.post(`/api/v1/payouts/${id}/pay`);
    await records.post(`/api/v1/payouts/${id}/return`, { reason: 'The account is closed' });
  },
  'payout_run.finished': async (records) => {
    await records.fallDue();
    await records.post('/api/v1/payout_runs', { affiliate_ids: [(await records.affiliate()).id], execute_now: true });
  },
  'payout_export.paid': async (records) => {
    const { id } = await records.fallDue();
    const made = await records.post('/api/v1/payout_exports', { payout_ids: [id] });
    await records.post(`/api/v1/payout_exports/${made.id}/payment`);
  },
} as const satisfies Readonly<Record<string, (records: TestRecords) => Promise<unknown>>>;

/** The types of events that can be triggered. */
export const TRIGGERS = Object.keys(CAUSES) as (keyof typeof CAUSES)[];

interface Caused {
  id: string;
  type: string;
  sequence: number;
  subject_id: string;
}

/**
 * Makes the test records that cause an event of a type, as a shop and a merchant would make them.
 *
 * @returns the events that were caused, oldest first
 * @throws OperatorError for an unknown type, and unless the key is of test mode; RemoteError
 */
export async function triggerEvent(service: RemoteService, type: string): Promise<Caused[]> {
  const cause = new Map<string, (records: TestRecords) => Promise<unknown>>(Object.entries(CAUSES)).get(type);
  if (cause === undefined) throw new OperatorError(`${type} cannot be triggered. Choose one of ${TRIGGERS.join(', ')}.`);
  const caller = (await service.send({ method: 'GET', path: '/api/settings/v1/me' })) as { livemode: boolean | null };
  if (caller.livemode !== false)
    throw new OperatorError(
      'Events are triggered only in test mode. Use a profile with an API key of test mode, or of `affiliate login --test`.',
    );
  const before = await eventsOf(service, { limit: '1' });
  await cause(new TestRecords(service));
  return eventsOf(service, { after_sequence: String(before[0]?.sequence ?? 0), limit: '100' });
}

async function eventsOf(service: RemoteService, query: Record<string, string>): Promise<Caused[]> {
  const { data } = (await service.send({ method: 'GET', path: '/api/v1/events', query })) as { data: Caused[] };
  return data;
}
