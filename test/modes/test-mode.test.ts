import { testAccountOf } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/http.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { type TestAccount, type TestService, credentials, startService } from '../support/service.ts';
import { inMode } from './accounts.ts';

let service: TestService;
let account: TestAccount;
let test: TestAccount;
let live: TestAccount;

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
  test = await inMode(service, account, false);
  live = await inMode(service, account, true);
});
afterAll(() => service.stop());

/** The kinds of records that the modes keep apart, by the path of their list. */
const LISTS = ['/affiliates', '/campaigns', '/links', '/referrals', '/customers', '/sales', '/commissions', '/payouts'];

interface Listed {
  data: { id: string; livemode: boolean }[];
}

/** Records a sale of a new affiliate with everything around it. */
async function wholeSale(of: TestAccount) {
  const started = await program(
    of,
    { days_until_commissions_are_due: 0 },
    { email: 'ada@partner.example', walleta_email: 'ada@pay.example' },
  );
  const referral = await refer(of, started);
  const sold = await sell(of, { referral_id: referral.id, external_id: 'order-1', customer_email: 'eve@example.com' });
  return { ...started, referral, ...sold };
}

describe('a key of test mode', () => {
  it('makes records that show livemode false, under the same emails and ids as live records', async () => {
    const made = await wholeSale(test);
    expect(made.commission).toMatchObject({ livemode: false, amount_cents: 1_000, state: 'due' });
    await wholeSale(live);
    for (const path of LISTS) {
      const [ofTest, ofLive] = await Promise.all([test, live].map(({ api }) => api.get<Listed>(path)));
      expect([path, ofTest!.body.data.map(({ livemode }) => livemode)]).toEqual([path, [false]]);
      expect([path, ofLive!.body.data.map(({ livemode }) => livemode)]).toEqual([path, [true]]);
      const { id } = ofTest!.body.data[0]!;
      expect([path, (await live.api.get(`${path}/${id}`)).status]).toEqual([path, 404]);
      expect([path, (await account.api.get(`${path}/${id}`)).status]).toEqual([path, 200]);
    }
  });

  it('gets its records with and without the filter livemode, and pays its payouts without naming the mode', async () => {
    const other = await inMode(service, await service.createAccount(), false);
    await wholeSale(other);
    for (const path of ['/sales', '/commissions', '/payouts']) {
      expect((await other.api.get<Listed>(path, { livemode: false })).body.data).toHaveLength(1);
      expect((await other.api.get<Listed>(path, { livemode: true })).body.data).toHaveLength(0);
    }
    expect((await other.api.get<Listed>('/payouts', { eligible: true })).body.data).toHaveLength(1);
    const run = await must<{ livemode: boolean; state: string }>(other, '/payout_runs', { execute_now: true });
    expect(run).toMatchObject({ livemode: false, state: 'completed' });
    const csv = await other.api.get('/commissions.csv');
    expect(csv.text).toContain(',false,');
    expect(csv.text).not.toContain(',true,');
    const { body } = await other.api.get<{ data: { data: { livemode: boolean } }[] }>('/events');
    expect(new Set(body.data.map(({ data }) => data.livemode))).toEqual(new Set([false]));
  });

  it('cannot make a key or an endpoint of another mode', async () => {
    const refused = { status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path: 'livemode', code: 'other_mode' }] } };
    for (const livemode of [true, null]) {
      expect(await test.api.post('/api_keys', { name: 'Other', livemode })).toMatchObject(refused);
      expect(
        await test.api.post('/api/settings/v1/webhook_endpoints', {
          name: 'Other',
          url: 'http://127.0.0.1:1024/hooks',
          event_types: ['*'],
          livemode,
        }),
      ).toMatchObject(refused);
    }
    expect(await test.api.post('/api_keys', { name: 'Same' })).toMatchObject({ status: 201, body: { livemode: false } });
    expect(await live.api.post('/api_keys', { name: 'Other', livemode: false })).toMatchObject(refused);
    expect(await live.api.post('/api_keys', { name: 'Same' })).toMatchObject({ status: 201, body: { livemode: true } });
  });

  it('is listed and revoked by a key without a mode, but not by a key of live mode', async () => {
    const { id, api_key } = await account.client.apiKeys.create.mutate({ name: 'To revoke', livemode: false });
    const names = async ({ api }: TestAccount) =>
      (await api.get<{ data: { name: string }[] }>('/api_keys')).body.data.map(({ name }) => name);
    expect(await names(account)).toContain('To revoke');
    expect(await names(live)).not.toContain('To revoke');
    expect((await live.api.send('DELETE', `/api_keys/${id}`)).status).toBe(404);
    expect((await account.api.send('DELETE', `/api_keys/${id}`)).status).toBe(200);
    expect((await new Api(service.url, credentials(account.id, api_key)).get('/affiliates')).status).toBe(401);
  });

  it('learns its mode from /me', async () => {
    expect((await test.api.get('/api/settings/v1/me')).body).toMatchObject({
      livemode: false,
      account_id: testAccountOf(account.id),
    });
    expect((await live.api.get('/api/settings/v1/me')).body).toMatchObject({ livemode: true, account_id: account.id });
    expect((await account.api.get('/api/settings/v1/me')).body).toMatchObject({ livemode: null });
  });
});

describe('a key without a mode', () => {
  it('acts in test mode if its request names the test account', async () => {
    const merchant = await service.createAccount();
    const inTestMode = new Api(service.url, credentials(testAccountOf(merchant.id), merchant.apiKey));
    const campaign = await inTestMode.post('/campaigns', {
      name: 'Test',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 10,
    });
    expect(campaign).toMatchObject({ status: 201, body: { livemode: false } });
    expect((await merchant.api.get<Listed>('/campaigns')).body.data).toEqual([]);
  });

  it('cannot name the test account of another account, and a key of live mode cannot name its own', async () => {
    const other = await service.createAccount();
    for (const { apiKey, of } of [
      { apiKey: account.apiKey, of: other.id },
      { apiKey: live.apiKey, of: account.id },
    ])
      expect(await new Api(service.url, credentials(testAccountOf(of), apiKey)).get('/affiliates')).toMatchObject({
        status: 403,
      });
  });
});

describe('a record of the payment provider’s test mode in the live account', () => {
  it('is seen by a key without a mode, as before, and not by a key of live mode', async () => {
    const merchant = await service.createAccount();
    const ofLive = await inMode(service, merchant, true);
    const started = await program(merchant, { days_until_commissions_are_due: 0 });
    const { id: referral_id } = await refer(merchant, started);
    await merchant.client.site.recordTestSale.mutate({ mark: 'test-0123456789', referral_id });
    await sell(merchant, { referral_id });
    await must(merchant, '/payout_exports', { livemode: false });
    await must(merchant, '/payout_runs', { livemode: false, idempotency_key: 'test' });
    for (const path of ['/sales', '/commissions', '/payouts']) {
      const all = (await merchant.api.get<Listed>(path)).body.data;
      expect([path, all.map(({ livemode }) => String(livemode)).toSorted()]).toEqual([path, ['false', 'true']]);
      expect([path, (await ofLive.api.get<Listed>(path)).body.data.map(({ livemode }) => livemode)]).toEqual([path, [true]]);
      expect([path, (await ofLive.api.get(path, { livemode: false })).status]).toEqual([path, 422]);
      const hidden = all.find(({ livemode }) => !livemode)!;
      expect([path, (await ofLive.api.get(`${path}/${hidden.id}`)).status]).toEqual([path, 404]);
    }
    const [testPayout] = (await merchant.api.get<Listed>('/payouts', { livemode: false })).body.data;
    expect((await ofLive.api.post(`/payouts/${testPayout!.id}/pay`)).status).toBe(404);
    expect((await ofLive.api.get<Listed>('/payout_exports')).body.data).toEqual([]);
    expect((await ofLive.api.post('/payout_runs', { livemode: false })).status).toBe(422);
    const modes = async ({ api }: TestAccount) =>
      new Set(
        (await api.get<{ data: { data: { livemode: boolean } }[] }>('/events', { type: 'commission.created' })).body.data.map(
          ({ data }) => data.livemode,
        ),
      );
    expect(await modes(merchant)).toEqual(new Set([true, false]));
    expect(await modes(ofLive)).toEqual(new Set([true]));
  });
});

describe('the modes never mix', () => {
  it('a live sale that names a test referral, a test customer or a code of test mode earns nothing', async () => {
    const merchant = await service.createAccount();
    const ofTest = await inMode(service, merchant, false);
    const { referral } = await wholeSale(ofTest);
    expect(
      (
        await merchant.api.post('/track/sales', {
          referral_id: referral.id,
          external_id: 'x',
          amount_cents: 100,
          currency: 'USD',
        })
      ).status,
    ).toBe(422);
    const sale = await must<{ commission: null }>(merchant, '/track/sales', {
      customer_email: 'eve@example.com',
      external_id: 'y',
      amount_cents: 100,
      currency: 'USD',
    });
    expect(sale.commission).toBeNull();
  });

  it('a tracked link of test mode does not take the place of the live link with the same token', async () => {
    const merchant = await service.createAccount();
    const ofTest = await inMode(service, merchant, false);
    const token = `token-${merchant.id.slice(-8)}`;
    const { affiliate, campaign } = await program(ofTest);
    await must(ofTest, '/links', {
      affiliate_id: affiliate.id,
      campaign_id: campaign.id,
      url: 'https://shop.example.com/test',
      token,
    });
    const started = await program(merchant);
    await must(merchant, '/links', {
      affiliate_id: started.affiliate.id,
      campaign_id: started.campaign.id,
      url: 'https://shop.example.com/live',
      token,
    });
    const { headers } = await merchant.api.send('GET', `/t/${token}`);
    expect(headers.get('location')).toContain('https://shop.example.com/live');
  });
});
