import { purgeRows } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { type Outputs, startService } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';

type Entry = Outputs['auditLog']['list']['data'][number];

const service = useService();
const account = useAccount(service, 'file');

const CAMPAIGN = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 100 };

async function entries(filter: Fields = {}): Promise<Entry[]> {
  const { status, body } = await account.api.get<{ result: { data: { data: Entry[] } } }>('/trpc/auditLog.list', {
    input: JSON.stringify(filter),
  });
  expect(status).toBe(200);
  return body.result.data.data;
}

describe('the audit log', () => {
  it('records every write an assistant requests, successful or not, and no reads', async () => {
    const { id, token } = await createConnector(account, {
      permissions: { 'mcp.campaigns.read': true, 'mcp.campaigns.write': true },
    });
    await using assistant = await Assistant.overHttp(service, token);
    const acting = { action: 'create', ...CAMPAIGN, dry_run: false, idempotency_key: 'one' };
    await assistant.call('manage_campaigns', { action: 'create', ...CAMPAIGN });
    await assistant.call('manage_campaigns', acting);
    await assistant.call('manage_campaigns', acting);
    await assistant.call('manage_campaigns', { action: 'create', name: 'No terms', dry_run: false });
    await assistant.call('manage_campaigns', { action: 'archive', id: 'camp_unknown', dry_run: false });
    await assistant.call('manage_affiliates', { action: 'create', email: 'ada@example.com', dry_run: false });
    await assistant.call('campaigns', { action: 'list' });

    const found = await entries({ caller_id: id });
    expect(found.toReversed().map(({ tool, action, preview, outcome }) => [tool, action, preview, outcome])).toEqual([
      ['manage_campaigns', 'create', true, 'succeeded'],
      ['manage_campaigns', 'create', false, 'succeeded'],
      ['manage_campaigns', 'create', false, 'replayed'],
      ['manage_campaigns', 'create', false, 'VALIDATION_ERROR'],
      ['manage_campaigns', 'archive', false, 'NOT_FOUND'],
      ['manage_affiliates', 'create', false, 'FORBIDDEN'],
    ]);
    expect(found.at(-2)).toEqual({
      id: expect.stringMatching(/^aud_/),
      caller_kind: 'connector',
      caller_id: id,
      tool: 'manage_campaigns',
      action: 'create',
      arguments: acting,
      preview: false,
      outcome: 'succeeded',
      request_id: expect.any(String),
      created_at: service.clock.instant(),
      completed_at: service.clock.instant(),
    });
  });

  it('stores no secrets and no text that PostgreSQL cannot store', async () => {
    const name = `our key is ${account.apiKey} \0 so`;
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const { isError } = await assistant.call('manage_campaigns', { action: 'create', ...CAMPAIGN, name, api_secret: 'hush' });
    expect(isError).toBe(true);
    const [entry] = await entries({ tool: 'manage_campaigns', preview: true });
    expect(entry).toMatchObject({ caller_kind: 'api_key', outcome: 'VALIDATION_ERROR' });
    expect(entry!.arguments).toMatchObject({ name: 'our key is [redacted]  so', api_secret: '[redacted]' });
  });

  it('records an error with the request id that the assistant received', async () => {
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const { body } = await assistant.call('manage_links', { action: 'archive', id: 'link_unknown', dry_run: false });
    const [entry] = await entries({ tool: 'manage_links' });
    expect(entry!.request_id).toBe(body['request_id']);
  });

  it('records the writes of members in the same transaction as the change, and those of keys', async () => {
    const shop = await service.createAccount();
    const owner = await ownerOf(service, shop);
    type Named = Outputs['auditLog']['browse']['data'][number];
    const browse = async (filter: Fields = {}) => {
      const { body } = await owner.browser.query<{ data: Named[]; next_before: string | null }>('auditLog.browse', filter);
      return body.result!.data;
    };
    const write = (procedure: string, input: Fields) => owner.browser.mutate(procedure, input);
    service.clock.advance(1, 'seconds');
    const created = await write('campaigns.create', CAMPAIGN);
    const { id } = (created.body as { result: { data: { id: string } } }).result.data;
    expect((await write('campaigns.create', { ...CAMPAIGN, commission_amount_cents: -1 })).status).toBe(422);
    expect((await write('campaigns.archive', { id: 'camp_unknown' })).status).toBe(404);
    await owner.browser.send('POST', '/api/v1/campaigns', { body: CAMPAIGN, headers: { 'Idempotency-Key': 'once' } });
    await owner.browser.send('POST', '/api/v1/campaigns', { body: CAMPAIGN, headers: { 'Idempotency-Key': 'once' } });
    await write('account.update', { account_id: shop.id, name: 'Northwind' });
    await shop.api.post('/affiliates', { email: 'ada@example.com', campaign_id: id });
    const key = await shop.api.post('/api_keys', { name: 'Second' });
    await shop.api.delete(`/api_keys/${key.body['id'] as string}`);
    service.clock.advance(1, 'seconds');
    await owner.browser.signIn(owner.email, owner.password);

    const all = await browse();
    expect(all.data.map(({ caller_kind, tool, action, outcome }) => [caller_kind, tool, action, outcome])).toEqual([
      ['session', 'sign_in', 'password', 'succeeded'],
      ['api_key', 'api_keys', 'revoke', 'succeeded'],
      ['api_key', 'api_keys', 'create', 'succeeded'],
      ['api_key', 'affiliates', 'create', 'succeeded'],
      ['session', 'account', 'update', 'succeeded'],
      ['session', 'campaigns', 'create', 'succeeded'],
      ['session', 'campaigns', 'create', 'succeeded'],
      ['session', 'sign_in', 'password', 'succeeded'],
    ]);
    expect(all.data[4]).toMatchObject({ caller_id: owner.id, caller_name: expect.any(String), arguments: { name: 'Northwind' } });

    const first = await browse({ limit: 4 });
    expect(first.data).toEqual(all.data.slice(0, 4));
    expect(await browse({ limit: 4, before: first.next_before! })).toEqual({ data: all.data.slice(4), next_before: null });
    expect((await browse({ caller_kind: 'api_key' })).data).toHaveLength(3);
    expect((await browse({ caller_id: owner.id, tool: 'campaigns', action: 'create' })).data).toHaveLength(2);
    const at = service.clock.instant();
    expect((await browse({ since: at })).data).toEqual(all.data.slice(0, 1));
    expect((await browse({ until: at })).data).toEqual(all.data.slice(1));
    const foreign = await entries({ caller_id: owner.id });
    expect(foreign).toEqual([]);

    // A call that is a preview by default is recorded as a preview. A call with invalid input leaves no entry.
    const affiliate_id = 'aff_unknown';
    const dry = await write('promoCodes.assign', { affiliate_id, psp_promotion_code_id: 'promo_1' });
    expect(dry.status).toBeGreaterThanOrEqual(400);
    expect((await write('promoCodes.assign', { affiliate_id, dry_run: 'no' })).status).toBe(422);
    const tried = await browse({ tool: 'promo_codes' });
    expect(tried.data.map(({ action, preview }) => [action, preview])).toEqual([['assign', true]]);
  });

  it('finds the entries of a record, part by part: those that name it, and the one that created it', async () => {
    const shop = await service.createAccount();
    const owner = await ownerOf(service, shop);
    await owner.browser.mutate('campaigns.create', { ...CAMPAIGN, default: true });
    const created = await owner.browser.mutate('affiliates.create', { email: 'ada@example.com' });
    const { id } = (created.body as { result: { data: { id: string } } }).result.data;
    await owner.browser.mutate('affiliates.update', { id, first_name: 'Ada' });
    await owner.browser.mutate('affiliates.archive', { id });
    await owner.browser.mutate('affiliates.createMany', { items: [{ email: 'hedy@example.com' }] });
    await owner.browser.mutate('affiliates.create', { email: 'grace@example.com' });
    await using assistant = await Assistant.overHttp(service, shop.apiKey);
    await assistant.call('manage_affiliates', { action: 'update', id, state: 'disabled' });
    const made = await assistant.call('manage_affiliates', { action: 'create', email: 'alan@example.com', dry_run: false });
    const hedy = await shop.client.affiliates.list.query({ search: 'hedy' });
    const other = (made.body['result'] as { id: string }).id;
    const acts = [
      ['manage_affiliates', 'update'],
      ['affiliates', 'archive'],
      ['affiliates', 'update'],
      ['affiliates', 'create'],
    ];
    const browse = async (filter: Fields) => {
      type Named = Outputs['auditLog']['browse']['data'][number];
      const { body } = await owner.browser.query<{ data: Named[]; next_before: string | null }>('auditLog.browse', filter);
      const { data, next_before } = body.result!.data;
      return {
        acts: data.map(({ tool, action }) => [tool, action]),
        subjects: data.map(({ subjects }) => subjects),
        next_before,
      };
    };
    const all = await browse({ subject_id: id });
    expect(all.acts).toEqual(acts);
    expect(all.subjects.every(([subject]) => subject?.id === id && subject.name?.includes('Ada'))).toBe(true);
    const first = await browse({ subject_id: id, limit: 3 });
    expect(first.acts).toEqual(acts.slice(0, 3));
    expect(await browse({ subject_id: id, limit: 3, before: first.next_before! })).toMatchObject({
      acts: acts.slice(3),
      next_before: null,
    });
    expect((await browse({ subject_id: id, tool: 'affiliates', action: 'archive' })).acts).toEqual(acts.slice(1, 2));
    expect((await browse({ subject_id: id, until: '2000-01-01T00:00:00Z' })).acts).toEqual([]);
    expect((await browse({ subject_id: other })).acts).toEqual([['manage_affiliates', 'create']]);
    expect((await browse({ subject_id: hedy.data[0]!.id })).acts).toEqual([['affiliates', 'create_many']]);
    const { body } = await shop.api.get<Outputs['auditLog']['list']>('/api/settings/v1/audit_log', `subject_id=${id}&limit=3`);
    expect(body.data.map(({ tool, action }) => [tool, action])).toEqual(acts.slice(0, 3));
    expect(body.pagination).toMatchObject({ total_count: 4, next_page: 2 });
    const seen = await assistant.call('team', { action: 'audit_log', subject_id: id, limit: 1 });
    expect(JSON.stringify(seen.body)).toContain('manage_affiliates');
    // A caller of another account that names the record in a call finds only the own entry.
    const stranger = await ownerOf(service, await service.createAccount());
    await using intruder = await Assistant.overHttp(service, account.apiKey);
    await intruder.call('manage_affiliates', { action: 'archive', id, dry_run: false });
    expect((await entries({ subject_id: id })).map(({ outcome }) => outcome)).toEqual(['NOT_FOUND']);
    const foreign = await stranger.browser.query<{ data: unknown[] }>('auditLog.browse', { subject_id: id });
    expect(foreign.body.result!.data.data).toEqual([]);
    expect((await browse({ subject_id: id })).acts).toEqual(acts);
  });

  it('keeps an entry for 400 days', async () => {
    const fresh = await startService();
    const owner = await fresh.createAccount();
    await using assistant = await Assistant.overHttp(fresh, owner.apiKey);
    await assistant.call('manage_campaigns', { action: 'create', ...CAMPAIGN });
    const db = fresh.services.database.kysely;
    const entry = await db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow();
    // Enough entries for more than one DELETE statement.
    const copies = Array.from({ length: 1_100 }, (_, i) => ({
      ...entry,
      id: `${entry.id.slice(0, -4)}${String(i).padStart(4, '0')}`,
      arguments: JSON.stringify(entry.arguments),
    }));
    await db.insertInto('audit_log').values(copies).execute();
    fresh.clock.advance(399, 'days');
    await assistant.call('manage_campaigns', { action: 'create', ...CAMPAIGN });
    const early = await purgeRows(fresh.services, 'audit_log');
    fresh.clock.advance(1, 'days');
    fresh.clock.advance(1, 'seconds');
    const dropped = await purgeRows(fresh.services, 'audit_log');
    const left = await db.selectFrom('audit_log').select('id').execute();
    await fresh.stop();
    expect([early, dropped, left.length]).toEqual([0, 1_101, 1]);
  });

  it('is visible only within its account and with permission to read connectors', async () => {
    const other = await service.createAccount();
    const { body } = await other.api.get<{ result: { data: { data: Entry[] } } }>('/trpc/auditLog.list', { input: '{}' });
    expect(body.result.data.data).toEqual([]);
    const reader = await account.apiWith({ 'v1.campaigns.read': true });
    expect((await reader.get('/trpc/auditLog.list', { input: '{}' })).status).toBe(403);
  });
});
