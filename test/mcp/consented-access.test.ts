import { CONSENT_PERMISSIONS, type Role } from '@affiliate/core';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import type { Browser } from '../support/browser.ts';
import type { Fields } from '../support/http.ts';
import { type Person, newMember } from '../support/people.ts';
import { sell } from '../support/program.ts';
import type { ToolCaller } from './assistant.ts';
import { OauthSetting } from './oauth-setting.ts';
import { RemoteAssistant, decide, follow } from './remote-assistant.ts';

const setting = OauthSetting.forThisFile();

const READ_PAYOUTS = { 'mcp.payouts.read': true };
const PAY = { 'mcp.payouts.read': true, 'mcp.payouts.write': true };
const UP_TO_10_USD = [{ currency: 'USD', amount_cents: 1_000 }];

interface Connected {
  assistant: RemoteAssistant;
  client: ToolCaller;
}

/** Connects an assistant as a person who chooses the access. Its client asks for more access if a call needs more. */
async function connected(choice: Fields, person: Browser = setting.owner): Promise<Connected> {
  const assistant = new RemoteAssistant(setting.service);
  const client = await assistant.connectStatelessAs(person, { account_id: setting.account.id, ...choice });
  return { assistant, client };
}

/** Sends a decision about a new request, and returns the reply. */
async function decided(choice: Fields, person: Browser = setting.owner) {
  const page = await follow(setting.service, (await setting.asking()).sentTo!);
  return decide(person, page, { accept: true, account_id: setting.account.id, ...choice });
}

const pay = (id: string) => ({ action: 'pay', id });

describe('consent', () => {
  it('grants exactly the chosen permissions, which the token names as its scopes', async () => {
    const permissions = { 'mcp.affiliates.read': true, 'mcp.affiliates.write': true, 'settings.webhooks.read': true };
    const { assistant, client } = await connected({ permissions });
    await using _ = client;
    expect(await client.toolNames()).toEqual([
      'explain',
      'affiliates',
      'manage_affiliates',
      'webhooks',
      'read_manual',
      'request_access',
    ]);
    expect(assistant.kept.tokens!.scope!.split(' ').toSorted()).toEqual(Object.keys(permissions).toSorted());
    expect(await setting.connectors()).toMatchObject([{ permissions, daily_pay_limits: null }]);
  });

  it.each([
    ['permissions', {}],
    ['permissions', { 'mcp.api_keys.read': true }],
    ['permissions.settings.connectors.write', { 'settings.connectors.write': true }],
    ['permissions.all', { all: true }],
  ])('is refused without permissions and with those that no assistant may have (%s %o)', async (path, permissions) => {
    expect(await decided({ permissions })).toMatchObject({ status: 422, body: { details: [{ path }] } });
    expect(await setting.connectors()).toEqual([]);
  });

  it.each(['commissions', 'payouts', 'payout_exports', 'payout_runs'])(
    'needs a decision about daily limits if the assistant may pay by %s',
    async (resource) => {
      const permissions = { [`mcp.${resource}.write`]: true };
      expect(await decided({ permissions })).toMatchObject({ status: 422, body: { details: [{ path: 'daily_pay_limits' }] } });
      expect((await decided({ permissions, daily_pay_limits: null })).status).toBe(200);
      expect((await decided({ permissions, daily_pay_limits: UP_TO_10_USD })).status).toBe(200);
    },
  );

  it.each([
    [[]],
    [
      [
        { currency: 'USD', amount_cents: 1 },
        { currency: 'usd', amount_cents: 2 },
      ],
    ],
    [[{ currency: 'XXQ', amount_cents: 1 }]],
    [[{ currency: 'USD', amount_cents: -1 }]],
    [[{ currency: 'USD', amount_cents: 1.5 }]],
  ])('refuses the limits %o', async (daily_pay_limits) => {
    const { status, body } = await decided({ permissions: PAY, daily_pay_limits });
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });
});

describe('a person', () => {
  const granted: Record<Role, Person | null> = { owner: null, admin: null, member: null, finance: null, viewer: null };

  it.each(Object.keys(granted) as Role[])('with the role %s can grant only what the role allows', async (role) => {
    const person = await newMember(setting.service, setting.account, role);
    const page = await follow(setting.service, (await setting.asking()).sentTo!);
    const may: string[] = [];
    for (const name of CONSENT_PERMISSIONS) {
      const choice = { accept: true, account_id: setting.account.id, permissions: { [name]: true }, daily_pay_limits: null };
      const { status } = await decide(person.browser, page, choice);
      expect([name, [200, 403].includes(status)]).toEqual([name, true]);
      if (status === 200) may.push(name);
    }
    const writes = {
      owner: /./,
      admin: /./,
      member: /^mcp\.(affiliates|links|referrals|affiliate_coupons)\.write$/,
      finance: /^mcp\.(payouts|payout_exports|payout_runs|payout_outcomes)\.write$/,
      viewer: /^$/,
    }[role];
    expect(may).toEqual(CONSENT_PERMISSIONS.filter((name) => writes.test(name) || /^mcp\.\w+\.read$/.test(name)));
  });

  it('loses the assistant when they leave the account, or get a role that does not allow all of its permissions', async () => {
    const { members } = setting.account.client;
    for (const [permissions, change, status] of [
      [READ_PAYOUTS, (user_id: string) => members.remove.mutate({ user_id }), 401],
      [{ 'mcp.campaigns.write': true }, (user_id: string) => members.updateRole.mutate({ user_id, role: 'member' }), 401],
      [{ 'mcp.affiliates.write': true }, (user_id: string) => members.updateRole.mutate({ user_id, role: 'member' }), 200],
    ] as const) {
      const admin = await newMember(setting.service, setting.account, 'admin');
      const { assistant, client } = await connected({ permissions }, admin.browser);
      await client.client.close();
      const { access_token, refresh_token } = assistant.kept.tokens!;
      expect(await setting.statusOf(access_token)).toBe(200);
      await change(admin.id);
      expect(await setting.statusOf(access_token)).toBe(status);
      expect((await assistant.refresh(refresh_token!)).status).toBe(status === 200 ? 200 : 400);
    }
  });
});

describe('a connector in the settings', () => {
  it('gets other permissions at once, in the open connection', async () => {
    const { payout } = await payee(setting.account);
    const { assistant, client } = await connected({ permissions: READ_PAYOUTS });
    await using _ = client;
    const { id } = (await setting.connectors())[0]!;
    await expect(client.call('manage_payouts', pay(payout.id))).rejects.toThrow(UnauthorizedError);

    const changed = { id, name: 'Renamed', permissions: PAY, daily_pay_limits: UP_TO_10_USD };
    expect(await setting.account.client.connectors.update.mutate(changed)).toMatchObject(changed);
    expect(await client.call('manage_payouts', { action: 'pay', id: payout.id })).toMatchObject({ isError: false });

    await setting.account.client.connectors.update.mutate({ id, permissions: { 'mcp.affiliates.read': true } });
    await expect(client.call('payouts', { action: 'list' })).rejects.toThrow(UnauthorizedError);
    await using another = (await assistant.connect())!;
    expect(await another.toolNames()).toEqual(['affiliates', 'read_manual', 'request_access']);
  });

  it('cannot be given more than the caller, or the person who connected the assistant, may grant', async () => {
    const member = await newMember(setting.service, setting.account, 'member');
    await (await connected({ permissions: READ_PAYOUTS }, member.browser)).client.client.close();
    const { id } = (await setting.connectors())[0]!;
    const update = (api: typeof setting.account.api, permissions: Fields) =>
      api.post('/trpc/connectors.update', { id, permissions });
    expect(await update(setting.account.api, PAY)).toMatchObject({
      status: 422,
      body: { error: { data: { details: [{ path: 'permissions', message: expect.stringContaining('mcp.payouts.write') }] } } },
    });
    expect((await update(setting.account.api, { 'mcp.affiliates.write': true })).status).toBe(200);
    const narrow = await setting.account.apiWith({ 'settings.connectors.write': true, 'mcp.affiliates.read': true });
    expect((await update(narrow, { 'mcp.affiliates.read': true, 'mcp.links.read': true })).status).toBe(403);
    expect((await update(narrow, { 'mcp.affiliates.read': true })).status).toBe(200);
    await setting.account.client.connectors.revoke.mutate({ id });
    expect((await update(setting.account.api, READ_PAYOUTS)).status).toBe(422);
    const other = await setting.service.createAccount();
    expect((await update(other.api, READ_PAYOUTS)).status).toBe(404);
  });
});

describe('a call that needs more', () => {
  it('answers with the scopes to ask for, and works once the person has granted them', async () => {
    const { payout } = await payee(setting.account);
    const { assistant, client } = await connected({ permissions: READ_PAYOUTS });
    await using _ = client;
    assistant.sentTo = null;
    await expect(client.call('manage_payouts', pay(payout.id))).rejects.toThrow(UnauthorizedError);
    expect(assistant.sentTo!.searchParams.get('scope')).toBe('mcp.payouts.read mcp.payouts.write offline_access');

    const page = await follow(setting.service, assistant.sentTo!);
    const described = await setting.owner.send('POST', '/auth/oauth2/consent-request', {
      body: { oauth_query: page.search.slice(1) },
    });
    expect(described.body).toMatchObject({
      requested_permissions: ['mcp.payouts.read', 'mcp.payouts.write'],
      granted: [{ account_id: setting.account.id, permissions: ['mcp.payouts.read'], daily_pay_limits: null }],
    });
    const decision = { account_id: setting.account.id, permissions: PAY, daily_pay_limits: UP_TO_10_USD };
    await using again = await assistant.finishStateless(await assistant.consented(setting.owner, decision));
    expect(await again.call('manage_payouts', { action: 'pay', id: payout.id })).toMatchObject({ isError: false });
    const { data } = await setting.account.client.auditLog.list.query({});
    expect(data.filter(({ tool }) => tool === 'manage_payouts')).toMatchObject([
      { outcome: 'succeeded', preview: true },
      { outcome: 'FORBIDDEN', preview: true },
    ]);
  });

  it('can be one that only asks for access', async () => {
    const { assistant, client } = await connected({ permissions: READ_PAYOUTS });
    await using _ = client;
    assistant.sentTo = null;
    await expect(client.call('request_access', { permissions: ['payouts.write', 'webhooks.read'] })).rejects.toThrow(
      UnauthorizedError,
    );
    expect(assistant.sentTo!.searchParams.get('scope')).toBe(
      'mcp.payouts.read mcp.payouts.write settings.webhooks.read offline_access',
    );
    expect(await client.call('request_access', { permissions: ['payouts.read'] })).toEqual({
      isError: false,
      body: { result: { granted: ['mcp.payouts.read'] } },
    });
    expect(await client.call('request_access', { permissions: ['everything'] })).toMatchObject({
      isError: true,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'permissions' }] },
    });
  });

  it('gets the usual error if nobody can grant the permission to an assistant', async () => {
    const { client } = await connected({ permissions: { 'settings.members.read': true } });
    await using _ = client;
    expect(await client.call('manage_team', { action: 'change_role' })).toMatchObject({
      isError: true,
      body: { code: 'FORBIDDEN', details: { permission: 'settings.members.write' } },
    });
  });
});

describe('the daily limits of a connector', () => {
  const paying = async (choice: Fields = {}) => {
    const permissions = {
      ...PAY,
      'mcp.payout_runs.write': true,
      'mcp.payout_exports.write': true,
      'mcp.commissions.write': true,
    };
    return (await connected({ permissions, daily_pay_limits: UP_TO_10_USD, ...choice })).client;
  };
  const created = async (tool: string, client: ToolCaller, more: Fields = {}) =>
    (await client.carryOut(tool, { action: 'create', ...more })).body['result'] as { id: string };
  const newest = async () => (await setting.account.client.commissions.list.query({ limit: 1 })).data[0]!;
  const dayAgo = () => new Date(setting.service.clock.now().getTime() - 24 * 3_600_000).toISOString();
  const refused = (counted_cents: number, amount_cents: number, more = {}) => ({
    isError: true,
    body: {
      code: 'PAY_LIMIT_EXCEEDED',
      details: { currency: 'USD', limit_cents: 1_000, counted_cents, amount_cents, ...more },
      hint: expect.stringContaining('limit'),
    },
  });

  it('allow payments up to the amount within 24 hours, and end when it is over', async () => {
    await using client = await paying();
    const [first, second, third] = [
      await payee(setting.account, { amount_cents: 6_000 }),
      await payee(setting.account, { amount_cents: 5_000 }),
      await payee(setting.account, { amount_cents: 4_000 }),
    ];
    const previewed = await client.call('manage_payouts', pay(second.payout.id));
    expect((await client.carryOut('manage_payouts', pay(first.payout.id))).isError).toBe(false);
    expect(await client.call('manage_payouts', pay(second.payout.id))).toMatchObject(refused(600, 500));
    const preview_token = previewed.body['preview_token'];
    const late = { ...pay(second.payout.id), dry_run: false, preview_token };
    expect(await client.call('manage_payouts', late)).toMatchObject(refused(600, 500));
    expect((await client.carryOut('manage_payouts', pay(third.payout.id))).isError).toBe(false);
    const { kysely } = setting.service.services.database;
    await kysely.updateTable('connector_payment').set({ counted_at: dayAgo() }).execute();
    expect((await client.carryOut('manage_payouts', pay(second.payout.id))).isError).toBe(false);
  });

  it('allow nothing in other currencies, and do not apply to test payouts or to people', async () => {
    await using client = await paying();
    const { payout } = await payee(setting.account, { currency: 'EUR', amount_cents: 1_000 });
    expect(await client.call('manage_payouts', pay(payout.id))).toMatchObject(
      refused(0, 100, { currency: 'EUR', limit_cents: 0 }),
    );
    expect((await setting.account.api.post(`/payouts/${payout.id}/pay`, {})).status).toBe(200);
  });

  it('count runs, exports and commissions too', async () => {
    await using client = await paying();
    await payee(setting.account, { amount_cents: 7_000 });
    const first = await created('manage_payout_runs', client);
    const execute = { action: 'execute', id: first.id, async: false };
    expect(await client.call('manage_payout_runs', { action: 'create', execute_now: true })).toMatchObject({
      isError: true,
      body: { details: [{ path: 'execute_now' }] },
    });
    expect((await client.carryOut('manage_payout_runs', execute)).isError).toBe(false);
    expect((await client.carryOut('manage_payout_runs', execute)).isError).toBe(false);

    const { payout } = await payee(setting.account, { amount_cents: 4_000 });
    const commissions = await setting.account.client.commissions.list.query({ affiliate_id: payout.affiliate_id });
    const byHand = { action: 'update', id: commissions.data[0]!.id, paid_at: '2026-01-01T00:00:00Z' };
    expect(await client.call('manage_commissions', byHand)).toMatchObject(refused(700, 400));
    const { id } = await created('manage_payout_exports', client);
    expect(await client.call('manage_payout_exports', { action: 'pay', id })).toMatchObject(refused(700, 400));
    const planned = await payee(setting.account, { amount_cents: 3_500 });
    const run = await created('manage_payout_runs', client, { affiliate_ids: [planned.payout.affiliate_id] });
    const second = { action: 'execute', id: run.id, async: false };
    expect(await client.call('manage_payout_runs', second)).toMatchObject(refused(700, 350));
  });

  it('do not count the payouts of an export that were refused', async () => {
    await using client = await paying();
    const [first, second] = [
      await payee(setting.account, { amount_cents: 7_000 }),
      await payee(setting.account, { amount_cents: 6_000 }),
    ];
    const { id } = await created('manage_payout_exports', client, { payout_ids: [first.payout.id, second.payout.id] });
    const refusedItem = [{ payout_id: second.payout.id, reason: 'Unknown address' }];
    expect((await client.carryOut('manage_payout_exports', { action: 'pay', id, refused: refusedItem })).isError).toBe(false);
    expect(await client.call('manage_payouts', pay(second.payout.id))).toMatchObject(refused(700, 600));
  });

  it('count what the payouts of a run have collected before an interrupted creation had claimed them', async () => {
    await using client = await paying();
    const made = await payee(setting.account, { amount_cents: 3_000 });
    const { id } = await created('manage_payout_runs', client, { affiliate_ids: [made.program.affiliate.id] });
    // As if the process had died before the run claimed its payout.
    const { kysely } = setting.service.services.database;
    await kysely.updateTable('payout_attempt').set({ state: 'candidate' }).where('batch_id', '=', id).execute();
    await kysely.updateTable('payout_batch').set({ working: true }).where('id', '=', id).execute();
    await kysely.updateTable('payout').set({ status: 'open' }).where('id', '=', made.payout.id).execute();
    await sell(setting.account, { referral_id: made.referral_id, amount_cents: 8_000 });
    const execute = { action: 'execute', id, async: false };
    expect(await client.call('manage_payout_runs', execute)).toMatchObject(refused(0, 1_100));
    await client.carryOut('manage_commissions', { action: 'void', id: (await newest()).id });
    const previewed = await client.call('manage_payout_runs', execute);
    await sell(setting.account, { referral_id: made.referral_id, amount_cents: 8_000 });
    const late = { ...execute, dry_run: false, preview_token: previewed.body['preview_token'] };
    expect((await client.call('manage_payout_runs', late)).isError).toBe(true);
    await client.carryOut('manage_commissions', { action: 'void', id: (await newest()).id });
    expect((await client.carryOut('manage_payout_runs', execute)).body['result']).toMatchObject({
      state: 'completed',
      totals: [{ paid_cents: 300 }],
    });
  });

  it('count what retried payouts have collected since they failed, at each retry', async () => {
    await using client = await paying();
    const made = await payee(setting.account, { amount_cents: 3_000 });
    const affiliate = `/affiliates/${made.program.affiliate.id}`;
    const run = await created('manage_payout_runs', client, { affiliate_ids: [made.program.affiliate.id] });
    await setting.account.api.patch(affiliate, { state: 'suspicious' });
    expect(
      (await client.carryOut('manage_payout_runs', { action: 'execute', id: run.id, async: false })).body['result'],
    ).toMatchObject({ state: 'partially_completed' });
    const retry = { action: 'remediate', id: run.id, remediation_action: 'retry' };
    expect((await client.carryOut('manage_payout_runs', retry)).isError).toBe(false);
    await setting.account.api.patch(affiliate, { state: 'active' });
    await sell(setting.account, { referral_id: made.referral_id, amount_cents: 5_000 });
    // The execution and the first retry counted 300 each, and now the payout has 800.
    expect(await client.call('manage_payout_runs', retry)).toMatchObject(refused(600, 800));
    expect((await setting.account.api.get(`/payouts/${made.payout.id}`)).body).toMatchObject({ state: 'due' });
    const { kysely } = setting.service.services.database;
    await kysely.updateTable('connector_payment').set({ counted_at: dayAgo() }).execute();
    expect((await client.carryOut('manage_payout_runs', retry)).body['result']).toMatchObject({
      state: 'completed',
      totals: [{ paid_cents: 800 }],
    });
  });

  it('are not raised by negative commissions', async () => {
    await using client = await paying();
    const { payout, program } = await payee(setting.account, { amount_cents: 11_000 });
    const correction = { affiliate_id: program.affiliate.id, amount_cents: -900, currency: 'USD', note: 'Correction' };
    const { id } = (await setting.account.api.post<{ id: string }>('/commissions', correction)).body;
    const byHand = { action: 'update', id, paid_at: '2026-01-01T00:00:00Z' };
    expect((await client.carryOut('manage_commissions', byHand)).isError).toBe(false);
    expect(await client.call('manage_payouts', pay(payout.id))).toMatchObject(refused(0, 1_100));
  });

  it('count a commission again that is larger when it is marked as paid again', async () => {
    await using client = await paying();
    const made = await payee(setting.account, { amount_cents: 6_000 });
    const { data } = await setting.account.client.commissions.list.query({ affiliate_id: made.program.affiliate.id });
    const { id, sale_id } = data[0]!;
    const byHand = { action: 'update', id, paid_at: '2026-01-01T00:00:00Z' };
    expect((await client.carryOut('manage_commissions', byHand)).isError).toBe(false);
    await setting.account.api.patch(`/commissions/${id}`, { paid_at: null });
    expect((await client.carryOut('manage_commissions', byHand)).isError).toBe(false);
    await setting.account.api.patch(`/commissions/${id}`, { paid_at: null });
    await setting.account.api.patch(`/sales/${sale_id!}`, { amount_cents: 11_000 });
    expect(await client.call('manage_commissions', byHand)).toMatchObject(refused(600, 500));
  });

  it('are not reset by a new consent', async () => {
    const { assistant, client } = await connected({ permissions: PAY, daily_pay_limits: UP_TO_10_USD });
    const [first, second] = [
      await payee(setting.account, { amount_cents: 6_000 }),
      await payee(setting.account, { amount_cents: 5_000 }),
    ];
    expect((await client.carryOut('manage_payouts', pay(first.payout.id))).isError).toBe(false);
    await client.client.close();
    delete assistant.kept.tokens;
    const more = { permissions: { ...PAY, 'mcp.links.read': true }, daily_pay_limits: UP_TO_10_USD };
    await using again = await assistant.connectStatelessAs(setting.owner, { account_id: setting.account.id, ...more });
    expect(await again.call('manage_payouts', pay(second.payout.id))).toMatchObject(refused(600, 500));
  });
});
