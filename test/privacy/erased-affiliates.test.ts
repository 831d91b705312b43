import { finishErasures } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { must, program, type Program, refer, sell } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { tracesOf } from './traces.ts';

type Row = Record<string, unknown>;

let service: TestService;
let account: TestAccount;
let count = 0;
let address: string;
let ada: Program;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  count += 1;
  address = `ada.${count}@partner.example`;
  ada = await program(
    account,
    { days_until_commissions_are_due: 0 },
    { email: address, first_name: `Augusta${count}`, walleta_email: `pay.${address}`, metadata: { mail: address } },
  );
  const { id: referral_id } = await refer(account, ada);
  await sell(account, { referral_id });
});

const get = async <Body = Row>(path: string) => (await account.api.get<Body>(path)).body;
const list = async (path: string) => (await get<{ data: Row[] }>(path)).data;
const erase = () => account.api.post(`/affiliates/${ada.affiliate.id}/erase`, {});

describe('an erased affiliate', () => {
  it('is nowhere, not even in files of exports, and no amount changes', async () => {
    const { id } = await must<{ id: string }>(account, '/payout_exports', { export_format: 'walleta' });
    const claimed = await erase();
    expect(claimed).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await must(account, `/payout_exports/${id}/payment`, {}, 200);
    await account.api.post(`/affiliates/${ada.affiliate.id}/portal_link`, {});
    const before = await tracesOf(service, address);
    for (const table of ['affiliate', 'event', 'payout_export_item']) expect(before).toContain(`public.${table}`);
    expect(JSON.stringify(await get(`/affiliates/${ada.affiliate.id}/personal_data`))).toContain(address);
    const money = async () =>
      [await list('/commissions'), await list('/payouts')].flat().map((row) => [row['id'], row['state'], row['amount_cents']]);
    const known = await money();
    expect(await erase()).toMatchObject({ status: 200, body: { kept: [] } });
    await finishErasures(service.services);
    expect(await tracesOf(service, address)).toEqual([]);
    // Published links must keep leading visitors to the shop, so their tokens stay.
    expect(await tracesOf(service, `Augusta${count}`)).toEqual(['public.link']);
    expect(await get(`/affiliates/${ada.affiliate.id}`)).toMatchObject({
      email: `${ada.affiliate.id}@erased.invalid`,
      first_name: null,
      walleta_email: null,
      archived_at: expect.any(String),
      erased_at: expect.any(String),
    });
    expect(await money()).toEqual(known);
    expect((await get<{ content: string }>(`/payout_exports/${id}?export_format=csv`)).content).toContain('@erased.invalid');
    expect(await get('/payout_runs/reconcile')).toMatchObject({ discrepancies: [] });
    expect(await erase()).toMatchObject({ status: 200 });
  });

  it('cannot sign in, be changed or be restored, and gets no mail', async () => {
    await erase();
    await finishErasures(service.services);
    expect(await account.api.patch(`/affiliates/${ada.affiliate.id}`, { archived_at: null })).toMatchObject({ status: 422 });
    const [payout] = await list('/payouts');
    await must(account, `/payouts/${String(payout!['id'])}/pay`, {}, 200);
    expect(await tracesOf(service, '@erased.invalid')).not.toContain('public.outgoing_mail');
  });

  it('can join again as a new affiliate with the same address', async () => {
    await erase();
    await finishErasures(service.services);
    const again = await must<Row>(account, '/affiliates', { email: address, campaign_id: ada.campaign.id });
    expect(again['id']).not.toBe(ada.affiliate.id);
  });

  it('needs an admin', async () => {
    const reader = await account.apiWith({ 'v1.affiliates.read': true, 'v1.commissions.read': true, 'v1.payouts.read': true });
    expect((await reader.get(`/affiliates/${ada.affiliate.id}/personal_data`)).status).toBe(200);
    expect((await reader.post(`/affiliates/${ada.affiliate.id}/erase`, {})).status).toBe(403);
  });
});
