import { describe, expect, it } from 'vitest';
import { must, program, refer } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

type Referral = Outputs['referrals']['get'];

const service = useService();
const account = useAccount(service);
const friends = useProgram(account);

async function eventTypes(): Promise<string[]> {
  const rows = await service.services.database.kysely
    .selectFrom('event')
    .select('type')
    .where('account_id', '=', account.id)
    .where('type', 'in', ['referral.created', 'referral.converted'])
    .orderBy('id')
    .execute();
  return rows.map(({ type }) => type);
}

describe('creating a referral', () => {
  it('takes affiliate and campaign from the link, and the expiry from the campaign', async () => {
    const referral = await refer(account, friends);
    expect(referral).toMatchObject({
      affiliate_id: friends.affiliate.id,
      campaign_id: friends.campaign.id,
      link_id: friends.link.id,
      conversion_state: 'visitor',
      customer_id: null,
      deactivated_at: null,
    });
    expect(Date.parse(referral.expires_at!) - Date.parse(referral.created_at)).toBe(60 * 86_400_000);
    expect(await eventTypes()).toEqual(['referral.created']);
  });

  it('requires a link or both ids, and refuses ids that contradict the link', async () => {
    const rival = await program(account);
    const refusals: [object, string, string][] = [
      [{}, 'affiliate_id', 'required'],
      [{ affiliate_id: friends.affiliate.id }, 'campaign_id', 'required'],
      [{ link_id: friends.link.id, affiliate_id: rival.affiliate.id }, 'affiliate_id', 'contradiction'],
      [{ link_id: friends.link.id, campaign_id: rival.campaign.id }, 'campaign_id', 'contradiction'],
      [{ link_id: 'link_nobody' }, 'link_id', 'not_found'],
    ];
    for (const [body, path, code] of refusals) {
      expect(await account.api.post('/referrals', body)).toMatchObject({ status: 422, body: { details: [{ path, code }] } });
    }
    await must(account, '/referrals', { affiliate_id: friends.affiliate.id, campaign_id: friends.campaign.id });
  });

  it('refuses an archived link, because a click on it would not create a referral', async () => {
    await account.api.delete(`/links/${friends.link.id}`);
    expect(await account.api.post('/referrals', { link_id: friends.link.id })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'link_id', code: 'archived' }] },
    });
  });

  it('can start converted, and then also emits converted', async () => {
    expect(await refer(account, friends, { conversion_state: 'conversion' })).toMatchObject({
      conversion_state: 'conversion',
      converted_at: service.clock.instant(),
    });
    expect(await eventTypes()).toEqual(['referral.created', 'referral.converted']);
  });
});

describe('changing a referral', () => {
  it('moves between any states, and announces each conversion', async () => {
    const referral = await refer(account, friends);
    for (const conversion_state of ['conversion', 'conversion', 'visitor', 'lead', 'conversion']) {
      expect(await account.api.patch(`/referrals/${referral.id}`, { conversion_state })).toMatchObject({
        status: 200,
        body: { conversion_state },
      });
    }
    expect((await eventTypes()).filter((type) => type === 'referral.converted')).toHaveLength(2);
  });

  it('deactivates and activates again', async () => {
    const referral = await refer(account, friends);
    expect((await account.api.delete(`/referrals/${referral.id}`)).status).toBe(204);
    expect((await account.api.get(`/referrals/${referral.id}`)).body).toMatchObject({ deactivated_at: service.clock.instant() });
    expect((await account.api.patch(`/referrals/${referral.id}`, { deactivated_at: null })).body).toMatchObject({
      deactivated_at: null,
    });
    expect(
      (await account.api.patch(`/referrals/${referral.id}`, { deactivated_at: '2026-01-01T00:00:00.123456+01:00' })).body,
    ).toMatchObject({
      deactivated_at: '2025-12-31T23:00:00.123Z',
    });
  });

  it('binds a customer once, and afterwards neither customer nor referral can be bound to another', async () => {
    const first = await refer(account, friends);
    const second = await refer(account, friends);
    const bind = (id: string, customer_email: string) => account.api.patch<Referral>(`/referrals/${id}`, { customer_email });
    const bound = await bind(first.id, 'Grace@example.com');
    expect(bound.body.customer_id).toMatch(/^cust_/);
    expect((await bind(first.id, 'grace@EXAMPLE.com')).body).toMatchObject({ customer_id: bound.body.customer_id });
    expect(await bind(first.id, 'other@example.com')).toMatchObject({
      status: 422,
      body: { details: [{ path: 'customer_email' }] },
    });
    expect(await bind(second.id, 'grace@example.com')).toMatchObject({
      status: 422,
      body: { details: [{ path: 'customer_email', code: 'taken' }] },
    });
  });

  it.each([[['report', 'address']], [['address', 'report']]] as const)(
    'takes an address and a report with an id, in the order %s',
    async (order) => {
      const referral = await refer(account, friends);
      const id = crypto.randomUUID();
      const customer_email = `${id}@example.com`;
      const sale = { amount_cents: 10_000, currency: 'USD' };
      const steps = {
        address: () => account.api.patch(`/referrals/${referral.id}`, { customer_email }),
        report: () =>
          account.api.post('/track/sales', { ...sale, external_id: id, referral_id: referral.id, external_customer_id: id }),
      };
      for (const step of order) expect((await steps[step]()).status).toBe(step === 'report' ? 201 : 200);
      const names: [string, object][] = [
        ['renewal by id', { external_customer_id: id }],
        ['renewal by address', { customer_email }],
      ];
      for (const [name, named] of names) {
        const renewal = await account.api.post('/track/sales', { ...sale, ...named, external_id: `${name} ${id}` });
        expect(renewal.body).toMatchObject({ commission: { affiliate_id: friends.affiliate.id, amount_cents: 1_000 } });
      }
    },
  );

  it('binds a customer to one referral in concurrent requests', async () => {
    const referrals = await Promise.all(Array.from({ length: 8 }, () => refer(account, friends)));
    const replies = await Promise.all(
      referrals.map(({ id }) => account.api.patch(`/referrals/${id}`, { customer_email: 'one@example.com' })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
  });
});

describe('the list of referrals', () => {
  it('can be filtered by affiliate, by state under both field names, by customer and by time of change', async () => {
    const rival = await program(account);
    const mine = await refer(account, friends);
    service.clock.advance(1, 'minutes');
    const theirs = await refer(account, rival, { conversion_state: 'lead' });
    await account.api.patch(`/referrals/${theirs.id}`, { customer_email: 'Grace@example.com' });
    const ids = async (query: string) =>
      (await account.api.get<{ data: Referral[] }>('/referrals', query)).body.data.map(({ id }) => id);
    expect(await ids('')).toEqual([theirs.id, mine.id]);
    expect(await ids(`affiliate_id=${friends.affiliate.id}`)).toEqual([mine.id]);
    expect(await ids('conversion_state=lead')).toEqual([theirs.id]);
    expect(await ids('conversionState=visitor')).toEqual([mine.id]);
    expect(await ids('conversionState=visitor&conversion_state=lead')).toEqual([]);
    expect(await ids('email=gRACE@example.com')).toEqual([theirs.id]);
    expect(await ids('psp_customer_id=cus_nobody')).toEqual([]);
    expect(await ids(`updated_since=${service.clock.instant()}`)).toEqual([theirs.id]);
    const expanded = await account.api.get<{ data: Referral[] }>('/referrals', 'expand=link,customer,affiliate');
    expect(expanded.body.data[0]).toMatchObject({
      link: { id: rival.link.id },
      customer: { email: 'Grace@example.com' },
      affiliate: { id: rival.affiliate.id },
    });
    expect(expanded.body.data[1]).toMatchObject({ customer: null });
  });
});
