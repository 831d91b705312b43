import { purgeRows } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { PortalVisitor, mailedToken } from './people.ts';

type Portal = Outputs['portal'];

const service = useService();
const account = useAccount(service, 'file');
let ada: PortalVisitor;
let started: Program;

beforeAll(async () => {
  started = await program(account, {}, { email: 'ada@partner.example' });
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
});

describe('access', () => {
  const stateOf = async (state: string) =>
    expect((await account.api.patch(`/affiliates/${started.affiliate.id}`, { state })).status).toBe(200);

  it('lets a disabled affiliate read but not change, and is refused to pending, rejected and archived affiliates', async () => {
    await stateOf('disabled');
    expect(await ada.query('portal.home')).toMatchObject({ state: 'disabled' });
    expect(await ada.refusal('mutate', 'portal.updateProfile', { last_name: 'X' })).toEqual({ status: 403, code: 'FORBIDDEN' });
    await stateOf('suspicious');
    expect(await ada.query('portal.home')).toMatchObject({ state: 'active' });
    for (const state of ['pending', 'rejected']) {
      await stateOf(state);
      expect(await ada.refusal('query', 'portal.home')).toEqual({ status: 403, code: 'FORBIDDEN' });
      const session = await ada.query<Outputs['session']['get']>('session.get');
      expect(await ada.query('portal.start')).toEqual({ session, account_id: account.id, home: null });
      expect(session).toMatchObject({ accounts: [], affiliations: [{ account_id: account.id, state }] });
    }
    await stateOf('active');
    const gone = await program(account, {}, { email: 'gone@partner.example' });
    const visitor = await PortalVisitor.enter(service, account, 'gone@partner.example');
    expect(await visitor.query('portal.home')).toMatchObject({ state: 'active' });
    expect((await account.api.delete(`/affiliates/${gone.affiliate.id}`)).status).toBe(204);
    expect(await visitor.refusal('query', 'portal.home')).toEqual({ status: 403, code: 'FORBIDDEN' });
  });

  it('stays with an archived affiliate who has earned something, who reads and cannot change anything', async () => {
    const earner = await program(account, { days_until_commissions_are_due: 0 }, { email: 'owed@partner.example' });
    const visitor = await PortalVisitor.enter(service, account, 'owed@partner.example');
    const { token } = await must<{ token: string }>(account, `/affiliates/${earner.affiliate.id}/embed_token`, {});
    const { id: referral_id } = await refer(account, earner);
    await sell(account, { referral_id });
    const paid = (await account.client.payouts.list.query({ affiliate_id: earner.affiliate.id })).data[0]!;
    await must(account, `/payouts/${paid.id}/pay`, {}, 200);
    expect((await account.api.delete(`/affiliates/${earner.affiliate.id}`)).status).toBe(204);
    expect(await visitor.query('portal.home')).toMatchObject({ state: 'disabled', earnings: [{ paid_cents: 1_000 }] });
    const statement = await visitor.query<Outputs['portal']['getStatement']>('portal.getStatement', { id: paid.id });
    expect((await service.download(statement.download_url)).toString()).toContain('10.00');
    const frame = new Browser(service.url, service.services.publicUrl);
    expect((await frame.query('portal.home', {}, { 'X-Portal-Token': token })).status).toBe(200);
    expect(await visitor.refusal('mutate', 'portal.updateProfile', { last_name: 'X' })).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect((await visitor.browser.query<Outputs['session']['get']>('session.get')).body.result!.data.affiliations).toMatchObject([
      { state: 'disabled' },
    ]);
    // Somebody who joins again has the new membership, not the archived one.
    const again = await program(account, {}, { email: 'owed@partner.example' });
    expect(await visitor.query('portal.home')).toMatchObject({ state: 'active', affiliate_id: again.affiliate.id });
  });

  it('moves to the holder of the new address when the merchant changes it', async () => {
    const { affiliate } = await program(account, {}, { email: 'former@partner.example' });
    const former = await PortalVisitor.enter(service, account, 'former@partner.example');
    const change = (email: string) => account.api.patch(`/affiliates/${affiliate.id}`, { email });
    const { token } = await must<{ token: string }>(account, `/affiliates/${affiliate.id}/embed_token`, {});
    const embedded = async () =>
      (await new Browser(service.url, service.services.publicUrl).query('portal.home', {}, { 'X-Portal-Token': token })).status;
    await change('FORMER@partner.example');
    expect(await former.query('portal.home')).toMatchObject({ state: 'active' });
    expect(await embedded()).toBe(200);
    await change('next@partner.example');
    expect(await former.refusal('query', 'portal.home')).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(await embedded()).toBe(401);
    const next = await PortalVisitor.enter(service, account, 'next@partner.example');
    expect(await next.query('portal.self')).toMatchObject({ affiliate_id: affiliate.id });
  });

  it('depends on the account that the request names', async () => {
    const other = await service.createAccount();
    expect(await ada.browser.query('portal.home', {}, { 'X-Account-Id': other.id })).toMatchObject({ status: 403 });
    expect(await ada.browser.query('portal.home', {}, { 'X-Account-Id': 'acct_none' })).toMatchObject({ status: 403 });
    expect(await ada.browser.query('portal.home')).toMatchObject({ status: 400 });
    await program(other, {}, { email: 'Ada@Partner.example' });
    expect(await ada.browser.query('portal.home', {}, { 'X-Account-Id': other.id })).toMatchObject({ status: 200 });
  });
});

describe('a sign-in link', () => {
  const redeem = (token: string) =>
    new Browser(service.url, service.services.publicUrl).send('POST', '/auth/sign-in/link', { body: { token } });
  const request = async (email: string) => {
    const reply = await new Browser(service.url, service.services.publicUrl).send('POST', '/auth/request-sign-in-link', {
      body: { email },
    });
    expect(reply.status).toBe(200);
    return reply.text;
  };

  it('works once', async () => {
    await request('ada@partner.example');
    const token = await mailedToken(service, 'ada@partner.example', /sign-in link/);
    const [first, second] = await Promise.all([redeem(token), redeem(token)]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 422]));
    expect((await redeem(token)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'token', code: 'invalid_token' }],
    });
  });

  it('returns the data that the portal shows first, for the account shown in the browser', async () => {
    const other = await service.createAccount();
    await program(other, {}, { email: 'two@partner.example' });
    await program(account, {}, { email: 'two@partner.example' });
    const browser = new Browser(service.url, service.services.publicUrl);
    const enter = async (email: string, headers: Record<string, string> = {}) => {
      await request(email);
      const token = await mailedToken(service, email, /sign-in link/);
      return (await browser.send<{ start: Portal['start'] }>('POST', '/auth/sign-in/link', { body: { token }, headers })).body
        .start;
    };
    for (const shown of [other, account]) {
      const context = { 'X-Account-Id': shown.id };
      const start = await enter('two@partner.example', context);
      expect(start).toMatchObject({ account_id: shown.id, session: { user: { email: 'two@partner.example' }, accounts: [] } });
      expect((await browser.query('portal.start', undefined, context)).body.result!.data).toEqual(start);
      expect((await browser.query('portal.home', {}, context)).body.result!.data).toEqual(start.home);
    }
    // If the person is not an affiliate of the account in X-Account-Id, the service ignores the header.
    const { affiliations } = (await enter('two@partner.example')).session;
    const unknown = await enter('two@partner.example', { 'X-Account-Id': (await service.createAccount()).id });
    expect([unknown.account_id, unknown.home?.account_name]).toEqual([
      affiliations[0]!.account_id,
      affiliations[0]!.account_name,
    ]);
    expect(await enter(account.ownerEmail)).toMatchObject({
      session: { accounts: [{ id: account.id }] },
      account_id: null,
      home: null,
    });
  });

  it('signs in even if the portal’s first data cannot be read', async () => {
    await request('ada@partner.example');
    const token = await mailedToken(service, 'ada@partner.example', /sign-in link/);
    const browser = new Browser(service.url, service.services.publicUrl);
    const { schema } = service.services.database.kysely;
    await schema.alterTable('affiliate_application').renameTo('missing').execute();
    try {
      const { status, body } = await browser.send('POST', '/auth/sign-in/link', { body: { token } });
      expect([status, Object.keys(body)]).toEqual([200, ['user']]);
    } finally {
      await schema.alterTable('missing').renameTo('affiliate_application').execute();
    }
    expect((await browser.query('portal.home', {}, { 'X-Account-Id': account.id })).status).toBe(200);
  });

  it('works for 15 minutes', async () => {
    await request('ada@partner.example');
    const token = await mailedToken(service, 'ada@partner.example', /sign-in link/);
    service.clock.advance(15, 'minutes');
    expect((await redeem(token)).status).toBe(422);
  });

  it('is not mailed to unknown addresses, which get the same answer', async () => {
    expect(await request('nobody@partner.example')).toBe(await request('ada@partner.example'));
    await service.mailbox.take('ada@partner.example', /sign-in link/);
    expect(service.mailbox.mails.filter(({ to }) => to === 'nobody@partner.example')).toEqual([]);
  });
});

describe('an affiliate invitation', () => {
  const invite = async (email: string) => {
    await must(account, '/invitations', { kind: 'affiliate', email, campaign_id: started.campaign.id });
    return mailedToken(service, email, /Become an affiliate/);
  };
  const join = (token: string) =>
    new Browser(service.url, service.services.publicUrl).mutate<Outputs['invitations']['join']>('invitations.join', { token });

  it('opens the portal for a new person at once', async () => {
    const { body } = await join(await invite('new@partner.example'));
    const browser = new Browser(service.url, service.services.publicUrl);
    const token = body.result!.data.sign_in_token;
    expect((await browser.send('POST', '/auth/sign-in/link', { body: { token } })).status).toBe(200);
    const home = await browser.query('portal.home', {}, { 'X-Account-Id': account.id });
    expect(home.body).toMatchObject({ result: { data: { state: 'active', links: [{ url: 'https://shop.example.com/' }] } } });
  });

  it('does not sign in a person who has a user', async () => {
    const { body } = await join(await invite(account.ownerEmail));
    expect(body.result!.data.sign_in_token).toBeNull();
  });
});

describe('a portal link', () => {
  const HOUR = 3_600_000;
  const anyone = () => new Browser(service.url, service.services.publicUrl);
  const tokenOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('token')!;
  const create = async () => {
    const reply = await account.api.post<{ url: string; expires_at: string }>(`/affiliates/${started.affiliate.id}/portal_link`);
    expect(reply.status).toBe(201);
    return reply.body;
  };
  const enter = async (url: string) => {
    const { status, body } = await anyone().mutate<Portal['enter']>('portal.enter', { token: tokenOf(url) });
    return { status, token: body.result?.data.token ?? '' };
  };
  const open = (token: string, path: string, input: object = {}) => anyone().query(path, input, { 'X-Portal-Token': token });

  it('opens the portal of only this affiliate, and only once', async () => {
    const { url, expires_at } = await create();
    expect(url).toMatch(/^https:\/\/affiliates\.example\.com\/portal\/enter#token=pat_/);
    expect(Date.parse(expires_at) - service.clock.now().getTime()).toBe(60_000);
    const [first, second] = await Promise.all([enter(url), enter(url)]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 404]));
    const token = first.token + second.token;
    expect((await open(token, 'portal.self')).body.result!.data).toMatchObject({
      affiliate_id: started.affiliate.id,
      is_view: false,
    });
    expect((await open(tokenOf(url), 'portal.self')).status).toBe(401);
    // The portal's token is not a session of the person or of the account.
    for (const path of ['session.get', 'affiliates.list', 'links.list']) {
      const reply = await anyone().query(path, {}, { 'X-Portal-Token': token, 'X-Account-Id': account.id });
      expect(reply.status).toBe(401);
    }
  });

  it('works for a minute, and the portal stays open for 12 hours', async () => {
    const late = await create();
    service.clock.advance(60, 'seconds');
    expect((await enter(late.url)).status).toBe(404);
    const { token } = await enter((await create()).url);
    service.clock.advance(12 * 60 - 1, 'minutes');
    expect((await open(token, 'portal.home')).status).toBe(200);
    service.clock.advance(1, 'minutes');
    expect((await open(token, 'portal.home')).status).toBe(401);
    expect(await purgeRows(service.services, 'portal_access')).toBeGreaterThan(0);
  });

  it('is created only for affiliates of the account who have access', async () => {
    const { body } = await account.api.post<{ id: string }>('/affiliates', {
      email: 'waits@partner.example',
      campaign_id: started.campaign.id,
      state: 'pending',
    });
    expect((await account.api.post(`/affiliates/${body.id}/portal_link`)).status).toBe(422);
    expect((await (await service.createAccount()).api.post(`/affiliates/${started.affiliate.id}/portal_link`)).status).toBe(404);
    const { token } = await enter((await create()).url);
    expect((await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'rejected' })).status).toBe(200);
    expect((await open(token, 'portal.home')).status).toBe(403);
    expect((await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'active' })).status).toBe(200);
  });

  it('lets a member view the portal for an hour without changing anything, and is in the audit log', async () => {
    const member = await newMember(service, account, 'member');
    // The audit log is sorted by time, so the view must be later than the sign-in.
    service.clock.advance(1, 'seconds');
    const context = { 'X-Account-Id': account.id };
    const { body } = await member.browser.mutate<{ url: string }>('affiliates.viewPortal', { id: started.affiliate.id }, context);
    const { token } = await enter(body.result!.data.url);
    expect((await open(token, 'portal.self')).body.result!.data).toMatchObject({ is_view: true });
    const write = await anyone().mutate('portal.updateProfile', { last_name: 'Changed' }, { 'X-Portal-Token': token });
    expect(write).toMatchObject({ status: 403 });
    service.clock.advance(HOUR / 60_000, 'minutes');
    expect((await open(token, 'portal.self')).status).toBe(401);
    const { data } = await account.client.auditLog.list.query({});
    expect(data[0]).toMatchObject({
      tool: 'affiliates',
      action: 'view_portal',
      caller_id: member.id,
      arguments: { id: started.affiliate.id },
    });
    await expect(account.client.affiliates.viewPortal.mutate({ id: started.affiliate.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('stops working for a removed member, and for nobody else', async () => {
    const members = [await newMember(service, account, 'member'), await newMember(service, account, 'member')];
    const context = { 'X-Account-Id': account.id };
    const tokens: string[] = [];
    for (const { browser } of members) {
      const { body } = await browser.mutate<{ url: string }>('affiliates.viewPortal', { id: started.affiliate.id }, context);
      tokens.push((await enter(body.result!.data.url)).token);
    }
    await account.client.members.remove.mutate({ user_id: members[0]!.id });
    const statuses = await Promise.all(tokens.map(async (token) => (await open(token, 'portal.home')).status));
    expect(statuses).toEqual([401, 200]);
  });
});
