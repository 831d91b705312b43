import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { type Program, must, program, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

/** Codes of a merchant's own shop, without a payment provider. */
const service = useService();
const account = useAccount(service, 'file');
let started: Program;
beforeAll(async () => {
  started = await program(account);
});

type Code = Outputs['promoCodes']['create'];
const assign = (body: object, from = account) => from.api.post<Code & ErrorBody>('/promo_codes', body);
const report = (promo_code: string, external_id = unique('order')) =>
  sell(account, { promo_code, external_id, customer_email: `${unique('grace')}@example.com` });

describe('a code of the own shop', () => {
  it('is assigned without a payment provider, and earns for reported sales however it was typed', async () => {
    const { status, body } = await assign({ affiliate_id: started.affiliate.id, code: ' Summer_25% ' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        affiliate_id: started.affiliate.id,
        campaign_id: started.campaign.id,
        code: 'Summer_25%',
        status: 'active',
        psp_promotion_code_id: null,
        psp_coupon_id: null,
        observation: null,
        observed_at: null,
        livemode: true,
      },
    });
    for (const typed of ['Summer_25%', ' summer_25% ', '\uFEFFSUMMER_25%', 'summer_25%.']) {
      const { commission, warnings } = await report(typed);
      expect([typed, commission?.amount_cents, commission?.affiliate_id, warnings]).toEqual([
        typed,
        1000,
        started.affiliate.id,
        [],
      ]);
    }
    expect((await account.api.get(`/promo_codes/${body.id!}`)).body).toEqual(body);
    const { body: list } = await account.api.get<{ data: Code[] }>('/promo_codes', { code: 'SUMMER_25%' });
    expect(list.data).toEqual([body]);
    const { body: events } = await account.api.get<Outputs['events']['list']>('/events', { subject_id: body.id! });
    expect(events.data).toMatchObject([{ type: 'promo_code.created', data: body }]);
  });

  it('belongs to one affiliate for good', async () => {
    const other = await program(account);
    const [first, again, foreign] = [
      await assign({ affiliate_id: started.affiliate.id, code: 'MINE' }),
      await assign({ affiliate_id: started.affiliate.id, code: 'mine' }),
      await assign({ affiliate_id: other.affiliate.id, code: 'Mine' }),
    ];
    expect([first.status, again.status, foreign.status]).toEqual([201, 200, 409]);
    expect(again.body).toEqual(first.body);
    const path = `/affiliates/${started.affiliate.id}/promo_codes/${first.body.id!}`;
    expect(await account.api.delete(path, { dry_run: false })).toMatchObject({
      status: 200,
      body: { assignment: { status: 'stopped' } },
    });
    expect((await assign({ affiliate_id: started.affiliate.id, code: 'MINE' })).status).toBe(409);
    service.clock.advance(1, 'seconds');
    expect(await report('MINE')).toMatchObject({ commission: null, warnings: [{ code: 'unknown_promo_code' }] });
  });

  it('is made from the name of the affiliate, and from no code that exists', async () => {
    const { affiliate } = await program(account, {}, { first_name: 'Zoë', last_name: 'Q' });
    const codes = [await assign({ affiliate_id: affiliate.id }), await assign({ affiliate_id: affiliate.id })];
    expect(codes.map(({ body }) => body.code)).toEqual(['ZOEQ', 'ZOEQ2']);
  });

  it('may earn by another campaign, and is refused for affiliates and campaigns that cannot earn', async () => {
    const other = await program(account, { commission_percent: 30 });
    await assign({ affiliate_id: started.affiliate.id, campaign_id: other.campaign.id, code: 'THIRTY' });
    expect(await report('thirty')).toMatchObject({ commission: { amount_cents: 3000, campaign_id: other.campaign.id } });
    const pending = await program(account, {}, { state: 'pending' });
    expect(await assign({ affiliate_id: pending.affiliate.id, code: 'NO' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'affiliate_id', code: 'affiliate_inactive' }] },
    });
    const stranger = await service.createAccount();
    expect((await assign({ affiliate_id: started.affiliate.id, code: 'NO' }, stranger)).status).toBe(422);
  });

  it('comes in many at once, each with a result', async () => {
    const items = [
      { affiliate_id: started.affiliate.id, code: 'BULK1' },
      { code: 'x' },
      { affiliate_id: started.affiliate.id, code: 'bulk1' },
    ];
    const { body } = await account.api.post<Outputs['promoCodes']['createMany']>('/promo_codes/bulk', { items });
    expect(body.data.map(({ result }) => result)).toEqual(['created', 'failed', 'unchanged']);
  });
});

describe('a report with a code that nobody has', () => {
  it('says so, and earns when the code is assigned and the report is repeated', async () => {
    const order = unique('order');
    const sale = {
      promo_code: 'LATER',
      external_id: order,
      amount_cents: 10_000,
      currency: 'USD',
      customer_email: 'later@example.com',
    };
    const first = await account.api.post<Outputs['tracking']['recordSale']>('/track/sales', sale);
    expect(first).toMatchObject({ status: 201, body: { commission: null, reason: 'no_referral' } });
    expect(first.body.warnings).toEqual([{ code: 'unknown_promo_code', message: expect.stringContaining('LATER') as string }]);
    expect((await account.api.post('/track/sales', sale)).body).toMatchObject({ warnings: [{ code: 'unknown_promo_code' }] });
    await assign({ affiliate_id: started.affiliate.id, code: 'LATER' });
    const again = await account.api.post<Outputs['tracking']['recordSale']>('/track/sales', sale);
    expect(again).toMatchObject({ status: 200, body: { commission: { amount_cents: 1000 }, reason: null, warnings: [] } });
  });

  it('says so, too, if a referral earns', async () => {
    const referral = await must<{ id: string }>(account, '/referrals', { link_id: started.link.id });
    const { commission, warnings } = await sell(account, { referral_id: referral.id, promo_code: 'TYPO' });
    expect([commission?.amount_cents, warnings.map(({ code }) => code)]).toEqual([1000, ['unknown_promo_code']]);
  });
});
