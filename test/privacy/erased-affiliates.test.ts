import { finishErasures } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { SignUp } from '../portal/sign-up.ts';
import { newMember } from '../support/people.ts';
import { onServer } from '../support/postgres.ts';
import { must, program, type Program, refer, sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { tracesOf } from './traces.ts';

type Row = Record<string, unknown>;

const service = useService({ checksIndexes: true });
const account = useAccount(service);
let count = 0;
let address: string;
let ada: Program;

beforeEach(async () => {
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
    for (const table of ['affiliate', 'event']) expect(before).toContain(`public.${table}`);
    expect(JSON.stringify(await get(`/affiliates/${ada.affiliate.id}/personal_data`))).toContain(address);
    const money = async () =>
      [await list('/commissions'), await list('/payouts')].flat().map((row) => [row['id'], row['state'], row['amount_cents']]);
    const known = await money();
    expect(await erase()).toMatchObject({ status: 200, body: { kept: [] } });
    await finishErasures(service.services);
    expect(await tracesOf(service, address)).toEqual([]);
    // Published links must keep leading visitors to the shop, so their tokens stay, in the events of links, too.
    expect(await tracesOf(service, `Augusta${count}`)).toEqual(['public.event', 'public.link']);
    const { data: named } = await get(`/events?type=link.*`);
    expect(JSON.stringify(named)).toContain('token');
    expect(await get(`/affiliates/${ada.affiliate.id}`)).toMatchObject({
      email: `${ada.affiliate.id}@erased.invalid`,
      first_name: null,
      walleta_email: null,
      archived_at: expect.any(String),
      erased_at: expect.any(String),
    });
    expect(await money()).toEqual(known);
    for (const format of ['csv', 'walleta'])
      expect((await get<{ content: string }>(`/payout_exports/${id}?export_format=${format}`)).content).toContain(
        '@erased.invalid',
      );
    expect(await get('/payout_runs/reconcile')).toMatchObject({ discrepancies: [] });
    expect(await erase()).toMatchObject({ status: 200 });
  });

  it('is nowhere although the erasure of another affiliate fails', async () => {
    const other = await program(account, {}, { email: `grace.${count}@partner.example` });
    await account.api.post(`/affiliates/${other.affiliate.id}/erase`, {});
    await erase();
    await onServer(
      service.databaseUrl,
      `create function fail_erasure() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_erasure before update on erasure for each row when (new.subject_id = '${other.affiliate.id}') execute function fail_erasure()`,
    );
    await expect(finishErasures(service.services)).rejects.toThrow('broken');
    expect(await tracesOf(service, address)).toEqual([]);
    await onServer(service.databaseUrl, 'drop function fail_erasure cascade');
    expect(await finishErasures(service.services)).toBe(1);
  });

  it('who applied, signed in and used the portal is nowhere, and has no user', async () => {
    await account.client.portalSettings.update.mutate({
      terms: 'Be kind.',
      questions: [{ label: 'Where will you promote us?', kind: 'text', required: true }],
    });
    const signUp = await SignUp.of(service, account);
    const person = `edith.${count}@partner.example`;
    const answers = [{ question: 'Where will you promote us?', answer: `Write to ${person}.` }];
    expect((await signUp.apply(person, { first_name: 'Edith', last_name: 'Clarke', answers })).status).toBe(200);
    await signUp.confirm(await signUp.confirmationOf(person));
    const [applicant] = await list('/applications');
    const id = String(applicant!['affiliate_id']);
    await account.client.applications.decide.mutate({ affiliate_ids: [id], decision: 'approve', note: `For ${person}` });
    const visitor = await PortalVisitor.enter(service, account, person);
    await visitor.mutate('portal.updatePayoutDetails', { walleta_email: `pay.${person}` });
    await visitor.mutate('portal.requestEmailChange', { new_email: `new.${person}` });
    const before = await tracesOf(service, person);
    for (const table of ['auth_user', 'affiliate_application', 'email_change']) expect(before).toContain(`public.${table}`);
    expect(await account.api.post(`/affiliates/${id}/erase`, {})).toMatchObject({ status: 200, body: { kept: [] } });
    await finishErasures(service.services);
    expect(await tracesOf(service, person)).toEqual([]);
    expect((await visitor.refusal('query', 'portal.home')).status).toBe(401);
  });

  it('keeps the user of a person who is a member of an account', async () => {
    const { browser, email } = await newMember(service, await service.createAccount(), 'member');
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { email });
    await erase();
    await finishErasures(service.services);
    expect(await tracesOf(service, email)).toEqual(['public.auth_user']);
    expect((await browser.query('session.get')).status).toBe(200);
  });

  it('cannot sign in, be changed or be restored, and gets no mail', async () => {
    await erase();
    await finishErasures(service.services);
    expect(await account.api.patch(`/affiliates/${ada.affiliate.id}`, { archived_at: null })).toMatchObject({ status: 422 });
    const [payout] = await list('/payouts');
    await must(account, `/payouts/${String(payout!['id'])}/pay`, {}, 200);
    expect(await tracesOf(service, '@erased.invalid')).not.toContain('public.outgoing_mail');
  });

  it('leaves the addresses of other affiliates alone, also their payout addresses', async () => {
    const shared = `pay.${address}`;
    const { affiliate: other } = await program(account, {}, { walletb_email: shared, metadata: { mail: shared } });
    expect(await erase()).toMatchObject({ status: 200, body: { kept: [{ kind: 'affiliate', id: other.id }] } });
    await finishErasures(service.services);
    expect(await get(`/affiliates/${other.id}`)).toMatchObject({ walletb_email: shared, metadata: { mail: shared } });
    expect(await tracesOf(service, `"${address}`)).toEqual([]);
  });

  it('keeps the addresses of a person who has joined again before the copies were erased', async () => {
    await erase();
    const again = await must<Row>(account, '/affiliates', {
      email: address,
      campaign_id: ada.campaign.id,
      walleta_email: `pay.${address}`,
    });
    await finishErasures(service.services);
    expect(await get(`/affiliates/${String(again['id'])}`)).toMatchObject({ email: address, walleta_email: `pay.${address}` });
    expect(await list('/affiliates')).toMatchObject([{ email: address }]);
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
