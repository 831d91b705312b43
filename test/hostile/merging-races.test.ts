/** Two customers are merged while other requests about them are running. No request fails, and the amounts are correct. */
import { beforeAll, describe, expect, it } from 'vitest';
import { discrepancies } from '../payouts/program.ts';
import type { Fields, Reply } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';

const service = useService();
let account: TestAccount;

beforeAll(async () => {
  account = await service.createAccount();
});

type Names = { customer_email: string } | { psp_customer_id: string };
type Commission = Outputs['commissions']['list']['data'][number];

const SALES = 3;
/** Maximum number of repetitions of a request that is refused with CONFLICT, which asks the caller to repeat it. */
const CONFLICTS = 5;

/** A sale that a test reports, and its refunded amount. */
interface Bought {
  external_id: string;
  amount_cents: number;
  refunded_cents: number;
}

async function repeated(path: string, body: Fields): Promise<Reply> {
  for (let conflicts = 0; ; conflicts += 1) {
    const reply = await account.api.post(path, body);
    if (reply.status !== 409 || conflicts === CONFLICTS) return reply;
  }
}

describe('a report that names two customers, at the same time as sales and refunds of both', () => {
  /** The name by which the older customer is known: an email address, or an id at the provider. The older customer's id remains after the merge. */
  const olders = ['email', 'provider'] as const;

  async function race(older: (typeof olders)[number]): Promise<void> {
    const friends = await program(account);
    const both = { customer_email: `${unique('ada')}@example.com`, psp_customer_id: unique('cus') };
    const names: Names[] = [{ customer_email: both.customer_email }, { psp_customer_id: both.psp_customer_id }];
    if (older === 'provider') names.reverse();
    const bought: Bought[] = [];
    const buy = (refunded_cents = 0) => {
      const sale = { external_id: unique('order'), amount_cents: 10_010 + bought.length * 1_230, refunded_cents };
      bought.push(sale);
      return { external_id: sale.external_id, amount_cents: sale.amount_cents, currency: 'USD' };
    };
    const requests: [path: string, body: Fields][] = [];
    for (const who of names) {
      service.clock.advance(1, 'minutes');
      const referral_id = (await refer(account, friends)).id;
      for (let nth = 0; nth < SALES; nth += 1) {
        service.clock.advance(1, 'minutes');
        const sale = buy();
        const { commission } = await sell(account, { ...sale, ...who, referral_id });
        // The first sale's commission is paid, so that its refund becomes an adjustment.
        if (nth === 0) await account.api.patch(`/commissions/${commission!.id}`, { paid_at: service.clock.instant() });
        const refunds = nth === 2 ? [sale.amount_cents] : [2_000, 1_500];
        for (const amount_cents of refunds)
          requests.push(['/track/refunds', { external_id: sale.external_id, refund_id: unique('re'), amount_cents }]);
        bought.at(-1)!.refunded_cents = refunds.reduce((sum, cents) => sum + cents, 0);
      }
      for (let nth = 0; nth < SALES; nth += 1)
        requests.push(['/track/sales', { ...buy(), ...(nth === 0 ? { referral_id } : who) }]);
    }
    service.clock.advance(1, 'minutes');
    requests.splice(requests.length / 2, 0, ['/track/sales', { ...buy(), ...both }]);
    const replies = await Promise.all(requests.map(([path, body]) => repeated(path, body)));
    expect(replies.filter(({ status }) => status !== 201).map(({ status, text }) => [status, text])).toEqual([]);

    const sales = await service.services.database.kysely
      .selectFrom('sale')
      .select(['id', 'external_id', 'customer_id', 'refund_amount_cents'])
      .where('account_id', '=', account.id)
      .where(
        'external_id',
        'in',
        bought.map(({ external_id }) => external_id),
      )
      .execute();
    expect(sales).toHaveLength(bought.length);
    expect(new Set(sales.map(({ customer_id }) => customer_id)).size).toBe(1);
    const { data } = (
      await account.api.get<{ data: Commission[] }>('/commissions', { affiliate_id: friends.affiliate.id, limit: 100 })
    ).body;
    const books = bought.map(({ external_id }) => {
      const sale = sales.find((each) => each.external_id === external_id)!;
      const standing = data.filter(({ sale_id, state }) => sale_id === sale.id && state !== 'voided');
      return {
        external_id,
        refunded: sale.refund_amount_cents,
        earned: standing.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        earnedTwice: standing.filter(({ kind }) => kind === 'sale').length > 1,
      };
    });
    const expected = bought.map(({ external_id, amount_cents, refunded_cents }) => ({
      external_id,
      refunded: refunded_cents,
      earned: (amount_cents - refunded_cents) / 10,
      earnedTwice: false,
    }));
    expect(books).toEqual(expected);
  }

  it.each(olders)('keeps every sale and every cent when the customer known by %s is older', async (older) => {
    for (let round = 0; round < (THOROUGH ? 8 : 2); round += 1) await race(older);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a request that waits while its customer is merged into another one', () => {
  const pause = () => service.clock.advance(1, 'minutes');

  /**
   * Returns what two customers are known by: the older one by an email address (`email`), and the newer one by an id at the provider (`provider`).
   * `merge` merges the two and removes the newer customer's record.
   */
  async function twoCustomers() {
    account = await service.createAccount();
    const [shown, later] = [await program(account), await program(account)];
    const both = { customer_email: `${unique('ada')}@example.com`, psp_customer_id: unique('cus') };
    const email = { customer_email: both.customer_email };
    const provider = { psp_customer_id: both.psp_customer_id };
    const merge = () => sell(account, { ...both, amount_cents: 0 });
    return { shown, later, email, provider, merge };
  }

  const bySale = (one: { sale_id: string | null }, other: { sale_id: string | null }) => (one.sale_id! < other.sale_id! ? -1 : 1);
  const idOf = ({ sale }: { sale: { customer_id: string | null } }) => sale.customer_id!;

  it('applies a refund together with everything reported about the other customer during the wait', async () => {
    const { shown, later, email, provider, merge } = await twoCustomers();
    await sell(account, { ...email, amount_cents: 0 });
    const alone = await sell(account, provider);
    pause();
    const first = await refer(account, shown);
    pause();
    const second = await refer(account, later);
    pause();
    const earned = await sell(account, { ...email, referral_id: second.id });
    expect(earned.commission).toMatchObject({ affiliate_id: later.affiliate.id });
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const before = await locks.affiliate(later.affiliate.id);
    await before.held;
    const merging = merge();
    await locks.areWaiting(1);
    const away = await locks.customer(idOf(alone));
    await locks.areWaiting(2);
    const refunding = account.api.post('/track/refunds', {
      external_id: alone.sale.external_id,
      refund_id: unique('re'),
      amount_cents: 100,
    });
    await locks.areWaiting(3);
    const after = await locks.affiliate(later.affiliate.id);
    await locks.areWaiting(4);

    await before.release();
    await Promise.all([merging, away.held, after.held]);
    // A late report of the earlier click attributes all sales to the first affiliate.
    const telling = sell(account, { ...email, referral_id: first.id });
    // The report waits for the lock on the affiliate, and the refund waits for the lock on the merged customer.
    await locks.areWaiting(2);
    await away.release();
    await locks.areWaitingElsewhere(2, idOf(alone));
    await after.release();
    const [told, refunded] = await Promise.all([telling, refunding]);
    expect(refunded.status).toBe(201);
    const { data } = (await account.api.get<{ data: Commission[] }>('/commissions')).body;
    const standing = data.filter(({ state }) => state !== 'voided');
    expect(standing.map(({ sale_id, affiliate_id }) => ({ sale_id, affiliate_id })).toSorted(bySale)).toEqual(
      [earned, told].map(({ sale }) => ({ sale_id: sale.id, affiliate_id: shown.affiliate.id })).toSorted(bySale),
    );
  });

  it('records a sale that names only the referral of the merged customer', async () => {
    const { shown, email, provider, merge } = await twoCustomers();
    await sell(account, { ...email, amount_cents: 0 });
    const referral_id = (await refer(account, shown)).id;
    pause();
    const before = await sell(account, { ...provider, referral_id });
    pause();
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const held = await locks.affiliate(shown.affiliate.id);
    await held.held;
    const merging = merge();
    await locks.areWaiting(1);
    const selling = account.api.post<Outputs['tracking']['recordSale']>('/track/sales', {
      external_id: unique('order'),
      referral_id,
      amount_cents: 10_000,
      currency: 'USD',
    });
    await locks.areWaiting(2);
    await held.release();
    const { sale } = await merging;
    const { status, body } = await selling;
    expect({ status, body }).toMatchObject({ status: 201, body: { commission: { amount_cents: 1_000 } } });
    expect(body.sale.customer_id).toBe(sale.customer_id);
    expect(before.sale.customer_id).not.toBe(sale.customer_id);
  });

  it('answers a lead of the merged customer', async () => {
    const { shown, later, email, provider, merge } = await twoCustomers();
    await sell(account, { ...email, amount_cents: 0 });
    const other = { customer_email: `${unique('grace')}@example.com` };
    const gone = await sell(account, { ...provider, ...other, referral_id: (await refer(account, shown)).id, amount_cents: 0 });
    const referral = await refer(account, later);
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const held = await locks.affiliate(shown.affiliate.id);
    await held.held;
    const merging = merge();
    await locks.areWaiting(1);
    const calling = account.api.post('/track/leads', { referral_id: referral.id, email: other.customer_email });
    await locks.areWaiting(2);
    await held.release();
    const { sale } = await merging;
    expect(sale.customer_id).not.toBe(idOf(gone));
    expect((await calling).status).toBe(200);
  });

  it('leaves a referral bound to the merged customer when it names that customer once more', async () => {
    const { shown, email, provider, merge } = await twoCustomers();
    await sell(account, { ...email, amount_cents: 0 });
    const other = { customer_email: `${unique('grace')}@example.com` };
    const referral = await refer(account, shown);
    const gone = await sell(account, { ...provider, ...other, referral_id: referral.id, amount_cents: 0 });
    await using locks = await Locks.open(service.databaseUrl, account.id);
    const customer = await locks.customer(idOf(gone));
    await customer.held;
    const merging = merge();
    await locks.areWaiting(1);
    const binding = account.api.patch<{ customer_id: string }>(`/referrals/${referral.id}`, other);
    await locks.areWaiting(2);
    await customer.release();
    const { sale } = await merging;
    expect(sale.customer_id).not.toBe(idOf(gone));
    expect(await binding).toMatchObject({ status: 200, body: { customer_id: sale.customer_id } });
  });
});
