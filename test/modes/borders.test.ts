import { purgeRows, purgeDeletedAccounts } from '@affiliate/core';
import { describe, expect, it, vi } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import { payee } from '../payouts/program.ts';
import { Browser } from '../support/browser.ts';
import { Api } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { credentials, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

const service = useService();
const inTestMode = async () => inMode(service, await service.createAccount(), false);
const advance = (of: TestAccount, days: number) => must(of, '/api/settings/v1/test_clock/advance', { days }, 200);
const later = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1_000).toISOString();
const visitor = () => new Browser(service.url, service.services.publicUrl);

describe('a credential of test mode, while the test clock is ahead', () => {
  it('expires by the service’s clock', async () => {
    const test = await inTestMode();
    await advance(test, 30);
    const expires_at = later(3_600);
    const { api_key } = await must<{ api_key: string }>(test, '/api_keys', { name: 'Hour', expires_at });
    const withKey = new Api(service.url, credentials(test.id, api_key));
    expect((await withKey.get('/affiliates')).status).toBe(200);
    expect(await test.client.connectors.create.mutate({ name: 'Hour', expires_at })).toMatchObject({ expires_at });
    service.clock.advance(2, 'hours');
    expect((await withKey.get('/affiliates')).status).toBe(401);
  });

  it('opens the portal no longer than the rules say', async () => {
    const test = await inTestMode();
    const { affiliate } = await program(test);
    await advance(test, 30);
    const link = await must<{ url: string; expires_at: string }>(test, `/affiliates/${affiliate.id}/portal_link`, {});
    const frame = await must<{ token: string; expires_at: string }>(test, `/affiliates/${affiliate.id}/embed_token`, {});
    expect([link.expires_at, frame.expires_at]).toEqual([later(60), later(3_600)]);
    const home = () => visitor().query('portal.home', {}, { 'X-Portal-Token': frame.token });
    expect((await home()).status).toBe(200);
    service.clock.advance(2, 'hours');
    const token = new URL(link.url).hash.replace('#token=', '');
    expect((await visitor().mutate('portal.enter', { token })).status).toBe(404);
    expect((await home()).status).toBe(401);
  });

  it('carries out a preview, which is deleted when it has expired', async () => {
    const test = await inTestMode();
    const { payout } = await payee(test);
    await advance(test, 30);
    const permissions = { 'mcp.payouts.read': true, 'mcp.payouts.write': true };
    const { token } = await test.client.connectors.create.mutate({ name: 'Assistant', permissions });
    await using assistant = await Assistant.overHttp(service, token);
    expect(await assistant.carryOut('manage_payouts', { action: 'pay', id: payout.id })).toMatchObject({ isError: false });
    await assistant.call('manage_payouts', { action: 'return', id: payout.id, reason: 'bounced' });
    expect(await purgeRows(service.services, 'previewed_call')).toBe(0);
    service.clock.advance(31, 'minutes');
    expect(await purgeRows(service.services, 'previewed_call')).toBe(1);
  });
});

it('a member sees the portal of a test affiliate as the affiliate does', async () => {
  const account = await service.createAccount();
  const test = await inMode(service, account, false);
  const { affiliate } = await program(test);
  const member = await newMember(service, account, 'member');
  const { body } = await member.browser.mutate<{ url: string }>(
    'affiliates.viewPortal',
    { id: affiliate.id },
    { 'X-Account-Id': test.id },
  );
  const token = new URL(body.result!.data.url).hash.replace('#token=', '');
  const entered = await visitor().mutate<{ token: string }>('portal.enter', { token });
  const headers = { 'X-Portal-Token': entered.body.result!.data.token };
  expect((await visitor().query('portal.home', {}, headers)).status).toBe(200);
  expect((await account.api.send('DELETE', `/api/settings/v1/members/${member.id}`)).status).toBe(204);
  expect((await visitor().query('portal.home', {}, headers)).status).toBe(401);
});

it('nobody can be invited to the team of a test account', async () => {
  const test = await inTestMode();
  const asked = await test.api.post('/invitations', { kind: 'member', email: 'eve@example.com', role: 'admin' });
  expect(asked).toMatchObject({ status: 422, body: { details: [{ path: 'kind', code: 'test_mode' }] } });
});

it('the test clock can be at most ten years ahead', async () => {
  const test = await inTestMode();
  for (let year = 0; year < 10; year += 1) await advance(test, 366);
  expect((await test.api.post('/api/settings/v1/test_clock/advance', { days: 366 })).status).toBe(422);
});

it('invitations of test mode count for the account, even after the test data was deleted', async () => {
  const account = await service.createAccount();
  const test = await inMode(service, account, false);
  const invite = async (of: TestAccount) => {
    const { campaign } = await program(of);
    const { status, body } = await of.api.post<{ id: string }>('/invitations', {
      kind: 'affiliate',
      email: 'eve@example.com',
      campaign_id: campaign.id,
    });
    if (status === 201) await of.api.delete(`/invitations/${body.id}`);
    return status;
  };
  for (const inviting of [test, account, test, account, test]) expect(await invite(inviting)).toBe(201);
  await must(test, '/api/settings/v1/test_data/delete', {}, 200);
  expect([await invite(test), await invite(account)]).toEqual([429, 429]);
});

it('no other merchant can keep an account from its test mode by taking the slug of the test account', async () => {
  const [account, other] = [await service.createAccount(), await service.createAccount()];
  const { slug } = await account.client.portalSettings.get.query();
  const taken = `test-${slug}-${account.id.slice(-8)}`;
  expect(await other.client.portalSettings.update.mutate({ slug: taken })).toMatchObject({ slug: taken });
  const test = await inMode(service, account, false);
  expect((await test.client.portalSettings.get.query()).slug).not.toBe(taken);
});

describe('deliveries', () => {
  const SETTINGS = '/api/settings/v1';
  const endpoint = (of: TestAccount, changes: object = {}) =>
    must<{ id: string }>(of, `${SETTINGS}/webhook_endpoints`, {
      name: 'Shop',
      url: 'http://127.0.0.1:1024/hooks',
      event_types: ['commission.created'],
      ...changes,
    });
  const resend = (of: TestAccount, id: string) =>
    must(of, `${SETTINGS}/webhook_endpoints/${id}/resend`, { since: later(-3_600) }, 200);

  it('to an endpoint with a mode are about records of this mode, also if its events are sent again', async () => {
    const account = await service.createAccount();
    const live = await inMode(service, account, true);
    const started = await program(account);
    const { id: referral_id } = await refer(account, started);
    await account.client.site.recordTestSale.mutate({ mark: 'test-0123456789', referral_id });
    await sell(account, { referral_id });
    const ofBoth = await endpoint(account, { livemode: null });
    const [ofLive, ofTest] = [await endpoint(account, { livemode: true }), await endpoint(account, { livemode: false })];
    expect(await live.api.post(`${SETTINGS}/webhook_endpoints/${ofTest.id}/resend`, { since: later(-3_600) })).toMatchObject({
      status: 422,
    });
    expect(await resend(live, ofBoth.id)).toMatchObject({ created_count: 1 });
    for (const { id } of [ofBoth, ofLive, ofTest]) expect(await resend(account, id)).toMatchObject({ created_count: 1 });
  });

  it('are listed by the mode of their events', async () => {
    const account = await service.createAccount();
    const [live, test] = [await inMode(service, account, true), await inMode(service, account, false)];
    const started = await program(account);
    const { id: referral_id } = await refer(account, started);
    await endpoint(account, { livemode: null });
    await account.client.site.recordTestSale.mutate({ mark: 'test-0123456789', referral_id });
    await sell(account, { referral_id });
    const listed = (of: TestAccount, livemode: boolean) =>
      of.api.get<{ data: { livemode: boolean }[] }>(`${SETTINGS}/webhook_deliveries?livemode=${livemode}`);
    const modes = async (of: TestAccount, livemode: boolean) =>
      (await listed(of, livemode)).body.data.map((delivery) => delivery.livemode);
    expect([await modes(account, true), await modes(account, false)]).toEqual([[true], [false]]);
    expect(await modes(live, true)).toEqual([true]);
    expect(await listed(live, false)).toMatchObject({ status: 422, body: { details: [{ path: 'livemode' }] } });

    const { id } = await refer(test, await program(test));
    await endpoint(test);
    await sell(test, { referral_id: id });
    expect([await modes(test, true), await modes(test, false)]).toEqual([[], [false]]);
  });

  it('of test mode are sent again at once, and a replaced secret signs for a day, while the test clock is ahead', async () => {
    const test = await inTestMode();
    const { id: referral_id } = await refer(test, await program(test));
    await sell(test, { referral_id });
    const { id } = await endpoint(test);
    await advance(test, 30);
    expect(await resend(test, id)).toMatchObject({ created_count: 1 });
    const { body } = await test.api.get<{ data: { next_attempt_at: string }[] }>(`${SETTINGS}/webhook_deliveries`);
    expect(body.data.map(({ next_attempt_at }) => next_attempt_at <= later(0))).toEqual([true]);
    const rotated = await must(test, `${SETTINGS}/webhook_endpoints/${id}/rotate_secret`, {}, 200);
    expect(rotated).toMatchObject({ previous_secret_expires_at: later(86_400) });
  });
});

describe('the slug of an account', () => {
  it('leads to the tracked links of its test account, also after the test data was deleted', async () => {
    const test = await inTestMode();
    await test.client.portalSettings.update.mutate({ terms: 'Be fair.' });
    await must(test, '/api/settings/v1/test_data/delete', {}, 200);
    expect((await test.client.portalSettings.get.query()).terms).toMatchObject({ version: 1, body: 'Be fair.' });
    const { link } = await program(test);
    const { body } = await test.api.get<{ tracking_url: string }>(`/links/${link.id}`);
    expect((await test.api.send('GET', new URL(body.tracking_url).pathname)).status).toBe(302);
  });

  it('can change only a few times, because no other account can get a slug that it has had', async () => {
    const account = await service.createAccount();
    const rename = (slug: string) =>
      account.api.send('PATCH', '/api/settings/v1/portal_settings', { body: { slug: `${slug}-${account.id.slice(-8)}` } });
    for (let number = 1; number < 20; number += 1) expect((await rename(`shop${number}`)).status).toBe(200);
    expect(await rename('shop20')).toMatchObject({ status: 422, body: { details: [{ path: 'slug', code: 'too_many' }] } });
    expect((await rename('shop3')).status).toBe(200);
  });

  it('leads to another account soon after the first one is deleted', async () => {
    const [first, second] = [await service.createAccount(), await service.createAccount()];
    const slug = `shop-${first.id.slice(-8)}`;
    const follow = async (of: TestAccount) => {
      const { link } = await program(of);
      return (await of.api.send('GET', `/t/${slug}/${link.token}`)).status;
    };
    await first.client.portalSettings.update.mutate({ slug });
    expect(await follow(first)).toBe(302);
    const { browser } = await ownerOf(service, first);
    expect(await browser.mutate('account.delete', { account_id: first.id, name: 'Test account' })).toMatchObject({ status: 200 });
    service.clock.advance(8, 'days');
    expect(await purgeDeletedAccounts(service.services)).toBe(1);
    await second.client.portalSettings.update.mutate({ slug });
    const aMinuteLater = performance.now() + 60_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(aMinuteLater);
    expect(await follow(second)).toBe(302);
    clock.mockRestore();
  });
});
