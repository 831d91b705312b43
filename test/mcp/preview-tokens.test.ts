import {
  CONSENT_PERMISSIONS,
  PROCEDURES,
  type Preview,
  appRouter,
  createCallerFactory,
  settleDueDecisions,
} from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Payee, payee } from '../payouts/program.ts';
import { rule, shop } from '../rewards/program.ts';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { Assistant, type ToolCaller, createConnector } from './assistant.ts';
import { OauthSetting } from './oauth-setting.ts';
import { RemoteAssistant } from './remote-assistant.ts';

const setting = OauthSetting.forThisFile();

let account: TestAccount;
/** An assistant that a person has allowed everything. */
let assistant: ToolCaller;

beforeEach(async () => {
  account = setting.account;
  assistant = await new RemoteAssistant(setting.service).connectAs(setting.owner, {
    account_id: account.id,
    permissions: Object.fromEntries(CONSENT_PERMISSIONS.map((name) => [name, true])),
    daily_pay_limits: null,
  });
  return () => assistant.client.close();
});

/** A write that moves money. */
interface Case {
  tool: string;
  action: string;
  /** Creates what the write needs. Returns its arguments, and a change after which it has another effect. */
  prepare: () => Promise<{ args: Fields; disturb: () => Promise<unknown> }>;
}

const commissionsOf = async (affiliate_id: string) =>
  (await account.api.get<{ data: { id: string; kind: string }[] }>('/commissions', { affiliate_id })).body.data;
const commissionOf = async ({ program }: Payee) => (await commissionsOf(program.affiliate.id))[0]!;
const anotherSale = (made: Payee) => sell(account, { referral_id: made.referral_id, amount_cents: 5_000 });
const patch = async (path: string, body: Fields) => {
  const { status, text } = await account.api.send('PATCH', path, { body });
  if (status !== 200) throw new Error(text);
};
const moveAddress = ({ program }: Payee) => patch(`/affiliates/${program.affiliate.id}`, { walleta_email: 'thief@pay.example' });

const CASES: Case[] = [
  {
    tool: 'manage_payouts',
    action: 'pay',
    prepare: async () => {
      const made = await payee(account);
      return { args: { id: made.payout.id }, disturb: () => anotherSale(made) };
    },
  },
  {
    tool: 'manage_payouts',
    action: 'pay',
    prepare: async () => {
      const made = await payee(account);
      return { args: { id: made.payout.id }, disturb: () => moveAddress(made) };
    },
  },
  {
    tool: 'manage_payouts',
    action: 'return',
    prepare: async () => {
      const { payout } = await payee(account);
      await must(account, `/payouts/${payout.id}/pay`, { payment_reference: 'first' }, 200);
      const disturb = () => must(account, `/payouts/${payout.id}/return`, { reason: 'by another' }, 200);
      return { args: { id: payout.id, reason: 'bounced' }, disturb };
    },
  },
  {
    tool: 'manage_payout_runs',
    action: 'create',
    prepare: async () => {
      await payee(account);
      return { args: {}, disturb: () => payee(account) };
    },
  },
  {
    tool: 'manage_payout_runs',
    action: 'execute',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await must<{ id: string }>(account, '/payout_runs', {});
      return {
        args: { id, async: false },
        disturb: () => patch(`/affiliates/${made.program.affiliate.id}`, { state: 'suspicious' }),
      };
    },
  },
  {
    tool: 'manage_payout_runs',
    action: 'execute',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await must<{ id: string }>(account, '/payout_runs', {});
      return { args: { id, async: true }, disturb: () => moveAddress(made) };
    },
  },
  {
    tool: 'manage_payout_runs',
    action: 'remediate',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await must<{ id: string }>(account, '/payout_runs', {});
      const suspend = (state: string) => patch(`/affiliates/${made.program.affiliate.id}`, { state });
      await suspend('suspicious');
      await account.api.send('PUT', `/payout_runs/${id}/execute`, { body: { async: false } });
      await suspend('active');
      return { args: { id, remediation_action: 'retry' }, disturb: () => suspend('suspicious') };
    },
  },
  {
    tool: 'manage_payout_exports',
    action: 'create',
    prepare: async () => {
      const made = await payee(account);
      return { args: { export_format: 'walleta' }, disturb: () => moveAddress(made) };
    },
  },
  {
    tool: 'manage_commissions',
    action: 'void',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await commissionOf(made);
      return { args: { id }, disturb: () => must(account, `/payouts/${made.payout.id}/pay`, {}, 200) };
    },
  },
  {
    tool: 'manage_commissions',
    action: 'review',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await commissionOf(made);
      return {
        args: { id, review_action: 'approve' },
        disturb: () => patch(`/commissions/${id}`, { due_at: '2999-01-01T00:00:00Z' }),
      };
    },
  },
  {
    tool: 'manage_commissions',
    action: 'review',
    prepare: async () => {
      const friends = await shop(account);
      const pay = { fixed: { amount_cents: 700, currency: 'USD' } };
      await rule(account, friends.campaign, { event: 'milestone', milestone: { metric: 'revenue', every: 10_000 }, pay });
      const external_id = unique('order');
      await sell(account, { referral_id: friends.referral.id, external_id, amount_cents: 35_000 });
      const { affiliate } = friends;
      const [reward] = (await commissionsOf(affiliate.id)).filter(({ kind }) => kind === 'milestone');
      await patch(`/commissions/${reward!.id}`, { paid_at: setting.service.clock.instant() });
      const refund = async (amount_cents: number) => {
        await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents }, 201);
        await settleDueDecisions(setting.service.services);
      };
      await refund(10_000);
      return { args: { id: reward!.id, review_action: 'reconsider' }, disturb: () => refund(20_000) };
    },
  },
  {
    tool: 'manage_commissions',
    action: 'update',
    prepare: async () => {
      const made = await payee(account);
      const { id } = await commissionOf(made);
      return {
        args: { id, due_at: '2026-01-01T00:00:00Z' },
        disturb: () => must(account, `/commissions/${id}/review`, { review_action: 'suspicious' }, 200),
      };
    },
  },
  {
    tool: 'manage_affiliates',
    action: 'update',
    prepare: async () => {
      const { program } = await payee(account);
      const { id } = program.affiliate;
      return { args: { id, walletb_email: 'new@pay.example' }, disturb: () => moveAddress({ program } as Payee) };
    },
  },
  {
    tool: 'manage_affiliates',
    action: 'erase',
    prepare: async () => {
      const { program } = await payee(account);
      const { id } = program.affiliate;
      return { args: { id }, disturb: () => moveAddress({ program } as Payee) };
    },
  },
  {
    tool: 'manage_sales',
    action: 'erase_customer',
    prepare: async () => {
      const made = await payee(account);
      await sell(account, { referral_id: made.referral_id, customer_email: 'grace@buyer.example' });
      const { body } = await account.api.get<{ data: { id: string }[] }>('/customers');
      const { id } = body.data[0]!;
      return { args: { id }, disturb: () => must(account, `/customers/${id}/erase`, {}, 200) };
    },
  },
];

describe.each(CASES.map((each, place) => ({ ...each, place })))('$tool $action ($place)', ({ tool, action, prepare }) => {
  it('repeats what its preview showed, once', async () => {
    const { args } = await prepare();
    const call = { action, ...args };
    const preview = await assistant.call(tool, call);
    expect(preview).toMatchObject({ isError: false, body: { preview_token: expect.stringMatching(/^prv_/) } });
    const { preview_token } = preview.body;

    expect(await assistant.call(tool, { ...call, dry_run: false })).toMatchObject({
      isError: true,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'preview_token', code: 'required' }] },
    });
    // A person takes a moment to approve. Only effects count, and not the moment.
    setting.service.clock.advance(1, 'minutes');
    const write = { ...call, dry_run: false, preview_token, idempotency_key: 'approved' };
    const [first, second] = [await assistant.call(tool, write), await assistant.call(tool, write)];
    expect(first).toMatchObject({ isError: false, body: { dry_run: false, replayed: false } });
    expect(second).toMatchObject({ isError: false, body: { replayed: true, result: first.body['result'] } });
    expect(await assistant.call(tool, { ...write, idempotency_key: 'again' })).toMatchObject({ isError: true });
  });

  it('is refused if it would do something else, and changes nothing', async () => {
    const { args, disturb } = await prepare();
    const call = { action, ...args };
    const { body } = await assistant.call(tool, call);
    await disturb();
    const before = await stateOf();
    const refused = await assistant.call(tool, { ...call, dry_run: false, preview_token: body['preview_token'] });
    expect([refused.isError, refused.body['code']]).toEqual([true, expect.stringMatching(/^(CONFLICT|VALIDATION_ERROR)$/)]);
    expect(await stateOf()).toEqual(before);
  });
});

/** Returns the rows that a write that moves money could change. */
async function stateOf() {
  const db = setting.service.services.database.kysely;
  const tables = ['payout', 'commission', 'payout_batch', 'payout_attempt', 'affiliate', 'event'] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return rows.map((each) => each.map((row) => JSON.stringify(row)).toSorted());
}

/** Reports whether a write of these fields changes only data that the service keeps for the merchant. */
function isOfMerchantData(fields: readonly string[]): boolean {
  return fields.includes('metadata') && fields.every((name) => ['id', 'external_id', 'metadata'].includes(name));
}

describe('a preview token', () => {
  const paying = async () => {
    const { payout } = await payee(account);
    const call = { action: 'pay', id: payout.id };
    const { body } = await assistant.call('manage_payouts', call);
    return { ...call, dry_run: false, preview_token: body['preview_token'] };
  };
  const refused = { isError: true, body: { details: [{ path: 'preview_token', code: 'invalid_token' }] } };

  it.each([
    ['other arguments', (write: Fields) => ({ ...write, payment_reference: 'other' })],
    ['another token', (write: Fields) => ({ ...write, preview_token: 'prv_01k9v7m3q8e2t4r6w8y0a1b2c3' })],
    ['no well-formed token', (write: Fields) => ({ ...write, preview_token: '' })],
  ])('does not allow a call with %s', async (_, change) => {
    const write = await paying();
    expect(await assistant.call('manage_payouts', change(write))).toMatchObject(refused);
    expect((await assistant.call('manage_payouts', write)).isError).toBe(false);
  });

  it('works only for the caller who previewed', async () => {
    const write = await paying();
    const { token } = await createConnector(account, { permissions: { 'mcp.payouts.write': true } });
    await using other = await Assistant.overHttp(setting.service, token);
    expect(await other.call('manage_payouts', write)).toMatchObject(refused);
    const { preview_token: _, ...without } = write;
    expect((await other.call('manage_payouts', without)).isError).toBe(false);
  });

  it('can be used by a connector with its own token, and is then compared', async () => {
    const made = await payee(account);
    const { token } = await createConnector(account, { permissions: { 'mcp.payouts.write': true } });
    await using other = await Assistant.overHttp(setting.service, token);
    const call = { action: 'pay', id: made.payout.id };
    const { body } = await other.call('manage_payouts', call);
    await anotherSale(made);
    const late = { ...call, dry_run: false, preview_token: body['preview_token'] };
    expect(await other.call('manage_payouts', late)).toMatchObject({
      isError: true,
      body: { code: 'CONFLICT', details: { reason: 'changed_since_preview' } },
    });
    expect((await other.carryOut('manage_payouts', call)).isError).toBe(false);
  });

  it('expires, and its row is deleted at the next preview', async () => {
    const write = await paying();
    const db = setting.service.services.database.kysely;
    await db.updateTable('previewed_call').set({ expires_at: setting.service.clock.instant() }).execute();
    expect(await assistant.call('manage_payouts', write)).toMatchObject(refused);
    await assistant.call('manage_payouts', { action: 'pay', id: write.id });
    expect(await db.selectFrom('previewed_call').select('id').where('account_id', '=', account.id).execute()).toHaveLength(1);
  });

  it('stays valid if the write fails', async () => {
    const write = await paying();
    const db = setting.service.services.database.kysely;
    const key = { ...write, idempotency_key: 'x'.repeat(256) };
    expect((await assistant.call('manage_payouts', key)).isError).toBe(true);
    expect(await db.selectFrom('previewed_call').select('id').where('account_id', '=', account.id).execute()).toHaveLength(1);
    expect((await assistant.call('manage_payouts', write)).isError).toBe(false);
  });

  it('lets only one of two concurrent calls happen', async () => {
    const { payout } = await payee(account);
    const { affiliate_id } = payout;
    const bonus = { action: 'create', affiliate_id, amount_cents: 500, currency: 'USD', note: 'Thank you' };
    const { body } = await assistant.call('manage_commissions', bonus);
    const write = { ...bonus, dry_run: false, preview_token: body['preview_token'] };
    const replies = await Promise.all([assistant.call('manage_commissions', write), assistant.call('manage_commissions', write)]);
    expect(replies.filter(({ isError }) => isError)).toHaveLength(1);
    expect(await commissionsOf(affiliate_id)).toHaveLength(2);
  });

  it('is needed by erasing, by sending events elsewhere, and by every write about payouts, runs, exports and commissions that changes more than own IDs and metadata', () => {
    const confirmed = PROCEDURES.filter(({ meta }) => meta.confirmed).map(({ path }) => path);
    const ofMoney = PROCEDURES.filter(
      ({ path, meta, input }) =>
        meta.access?.action === 'write' &&
        ['payouts', 'payout_outcomes', 'payout_runs', 'payout_exports', 'commissions'].includes(meta.access.resource) &&
        // A connector can call nothing but tools. No tool makes bulk calls, or links where affiliates enter their data.
        !('items' in input.shape) &&
        path !== 'payoutMethods.openAccount' &&
        !isOfMerchantData(Object.keys(input.shape)),
    ).map(({ path }) => path);
    const others = ['affiliates.erase', 'affiliates.update', 'affiliates.upsert', 'customers.erase', 'webhookEndpoints.create'];
    expect(confirmed.toSorted()).toEqual([...ofMoney, ...others].toSorted());
  });

  it('stands for the effect of a change of payment addresses by your ID', async () => {
    const preview: Preview = { events: [] };
    const caller = createCallerFactory(appRouter)({
      services: setting.service.services,
      requestId: 'previews',
      principal: { kind: 'system', account_id: account.id },
      surface: 'v1',
      reply: {},
      preview,
    });
    const { program } = await payee(account);
    const { email } = program.affiliate;
    await caller.affiliates.upsert({ id: 'external:ada', email, walleta_email: 'new@pay.example' });
    expect(preview).toMatchObject({ request: expect.any(String), effect: expect.any(String) });
  });

  it('is needed to make a webhook endpoint, which sends events elsewhere', async () => {
    const endpoint = { action: 'create', name: 'CRM', url: 'http://127.0.0.1:8099/crm', event_types: ['payout.paid'] };
    expect(await assistant.call('manage_webhooks', { ...endpoint, dry_run: false })).toMatchObject({
      isError: true,
      body: { details: [{ path: 'preview_token', code: 'required' }] },
    });
    expect(await assistant.carryOut('manage_webhooks', endpoint)).toMatchObject({ isError: false, body: { dry_run: false } });
  });

  it('is not offered for actions that need none, and is refused there', async () => {
    const { body } = await assistant.call('manage_campaigns', {
      action: 'create',
      name: 'Spring',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 5,
    });
    expect(body).not.toHaveProperty('preview_token');
    expect(await assistant.call('manage_campaigns', { action: 'archive', id: 'camp_1', preview_token: 'prv_1' })).toMatchObject({
      isError: true,
      body: { details: [{ path: 'preview_token', code: 'unrecognized_key' }] },
    });
    const { program } = await payee(account);
    const rename = { action: 'update', id: program.affiliate.id, first_name: 'Ada', dry_run: false };
    expect((await assistant.call('manage_affiliates', rename)).isError).toBe(false);
  });
});

it('a refund after the preview changes the effect of a review', async () => {
  const made = await payee(account);
  const { id } = await refer(account, made.program);
  const { sale, commission } = await sell(account, { referral_id: id });
  const call = { action: 'review', id: commission!.id, review_action: 'suspicious' };
  const { body } = await assistant.call('manage_commissions', call);
  await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: 'r1', amount_cents: 1_000 }, 201);
  expect(
    await assistant.call('manage_commissions', { ...call, dry_run: false, preview_token: body['preview_token'] }),
  ).toMatchObject({ isError: true, body: { code: 'CONFLICT' } });
});
