/** Changes of the addresses to which affiliates are paid, at every door. */
import { sendDueMail } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { PortalVisitor } from '../portal/people.ts';
import { databaseRows, loggedBy } from '../support/dump.ts';
import type { Api, Fields } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { must } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { payee, type Payee, payoutOf } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service);
let ada: Payee;

beforeEach(async () => {
  service.services.payoutMethods = [...METHODS, new ToyRail().method];
  ada = await payee(account, { person: { email: 'ada@partner.example', walletb_email: null } });
});

const path = () => `/affiliates/${ada.program.affiliate.id}`;
const methodOf = async (kind: string) => {
  const query = { affiliate_id: ada.program.affiliate.id, kind };
  return (await account.api.get<{ data: { id: string; hint: string }[] }>('/payout_methods', query)).body.data[0]!;
};
const keyed = (api: Api, key: string, way: string, to: string, body: Fields) =>
  api.send(way, to, { body, headers: { 'Idempotency-Key': key } });

/** Each door, with a change to the given address. */
const DOORS: Record<string, (address: string) => Promise<unknown>> = {
  'a key that updates the affiliate': (address) => account.api.patch(path(), { walleta_email: address }),
  'a key that updates the method': async (address) =>
    account.api.patch(`/payout_methods/${(await methodOf('paypal')).id}`, { address: { email: address } }),
  'a key that adds a method': (address) =>
    keyed(account.api, 'add', 'POST', '/payout_methods', {
      affiliate_id: ada.program.affiliate.id,
      kind: 'wise',
      address: { email: address },
    }),
  'an application that updates the affiliate by its own id': async (address) => {
    await account.api.patch(path(), { external_id: 'own-1' });
    return keyed(account.api, 'upsert', 'PUT', '/affiliates/external:own-1', {
      email: 'ada@partner.example',
      walletb_email: address,
    });
  },
  'a member': (address) =>
    account.client.affiliates.update.mutate({ id: ada.program.affiliate.id, walleta_email: address, move_links: false }),
  'an assistant': async (address) => {
    const permissions = { 'mcp.affiliates.write': true, 'mcp.affiliates.read': true, 'mcp.payouts.write': true };
    const { token } = await createConnector(account, { permissions });
    await using assistant = await Assistant.overHttp(service, token);
    const change = { action: 'update', id: ada.program.affiliate.id, walleta_email: address };
    return await assistant.result('manage_affiliates', { ...change, dry_run: false });
  },
  'the affiliate': async (address) => {
    const portal = await PortalVisitor.enter(service, account, 'ada@partner.example');
    return portal.mutate('portal.updatePayoutDetails', { walleta_email: address });
  },
};

/** Adds a second method, and prepares a payment by it. */
async function preparePayment(): Promise<void> {
  const affiliate_id = ada.program.affiliate.id;
  await must(account, '/payout_methods', { affiliate_id, kind: 'toy', address: { number: '100001' } });
  service.clock.advance(4, 'days');
  await service.mailbox.take('a@pay.example', /payout details/);
  const { body } = await account.api.post('/payout_attempts/prepare', { method: 'toy' });
  expect(body).toMatchObject({ payouts_count: 1 });
}

it.each(Object.keys(DOORS))('a change by %s holds, withdraws what is not sent, is told, and stores no address', async (door) => {
  await preparePayment();
  const address = `hidden-${door.length}@elsewhere.example`;
  await DOORS[door]!(address);
  expect(await payoutOf(account, ada.payout.id)).toMatchObject({ state: 'pending', ineligible_reasons: ['details_changed'] });
  const { body } = await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: ada.payout.id });
  expect(body.data).toMatchObject([{ state: 'withdrawn', reason: 'payout_details_changed' }]);
  const { text } = await service.mailbox.take('a@pay.example', /payout details/);
  expect(text).toMatch(/No payout is sent to the new address before/);
  expect(text).not.toContain(address);

  // What follows handles the address: a refusal, a preview, a file, a mail.
  await account.api.patch(path(), { walleta_email: address, campaign_id: 'camp_unknown' });
  service.clock.advance(4, 'days');
  expect(await payoutOf(account, ada.payout.id)).toMatchObject({ state: 'due' });
  const { id } = await must<{ id: string }>(account, '/payout_exports', { export_format: 'csv' });
  await account.api.get(`/payout_exports/${id}`);
  await sendDueMail(service.services);
  const [local] = address.split('@');
  expect(loggedBy(service)).not.toContain(local);
  const rows = await databaseRows(service);
  expect(rows).toContain(ada.program.affiliate.email);
  expect(rows).not.toContain(local);
});

describe('a caller who may write affiliates and not payouts', () => {
  const permissions = { 'v1.affiliates.read': true, 'v1.affiliates.write': true, 'v1.payouts.read': true };
  const same = { first_name: 'Grace', walleta_email: 'a@pay.example', walletb_email: null };
  const changes = [{ walleta_email: 'thief@pay.example' }, { walleta_email: null }, { walletb_email: 'thief@pay.example' }];

  it('changes no address with a key, and may repeat the addresses', async () => {
    const api = await account.apiWith(permissions);
    for (const change of changes) {
      const refused = await api.patch(path(), { first_name: 'Eve', ...change });
      expect(refused).toMatchObject({ status: 403, body: { details: { permission: 'v1.payouts.write' } } });
    }
    expect((await api.get(path())).body).toMatchObject({
      first_name: 'Ada',
      walleta_email: 'a@pay.example',
      walletb_email: null,
    });
    expect(await api.patch(path(), same)).toMatchObject({ status: 200, body: { first_name: 'Grace', payouts_held_until: null } });
  });

  it('changes no address as a member', async () => {
    const { browser } = await newMember(service, account, 'member');
    const update = (change: Fields) =>
      browser.mutate('affiliates.update', { id: ada.program.affiliate.id, ...change }, { 'X-Account-Id': account.id });
    for (const change of changes) expect((await update(change)).status).toBe(403);
    expect((await update(same)).status).toBe(200);
    expect(await payoutOf(account, ada.payout.id)).toMatchObject({ eligible: true });
  });

  it('changes no address as an assistant', async () => {
    const { token } = await createConnector(account, {
      permissions: { 'mcp.affiliates.read': true, 'mcp.affiliates.write': true },
    });
    await using assistant = await Assistant.overHttp(service, token);
    const change = { action: 'update', id: ada.program.affiliate.id, walleta_email: 'thief@pay.example' };
    expect(await assistant.call('manage_affiliates', change)).toMatchObject({ isError: true, body: { code: 'FORBIDDEN' } });
    expect(await assistant.call('manage_affiliates', { ...change, dry_run: false })).toMatchObject({
      isError: true,
      body: { code: 'FORBIDDEN' },
    });
  });
});
