import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { program, type Program, refer } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Bulk = Outputs['affiliates']['createMany'];

const service = useService();
const account = useAccount(service, 'file');
let api: TestAccount['api'];
let started: Program;
beforeAll(async () => {
  ({ api } = account);
  started = await program(account, { default: true, days_until_commissions_are_due: 0 });
});

const affiliates = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.com` }));
const post = (path: string, items: object[], key?: string) =>
  api.post<Bulk>(path, { items }, key === undefined ? {} : { 'Idempotency-Key': key });
const countOf = async (search: string) =>
  (await api.get<Outputs['affiliates']['list']>('/affiliates', { search })).body.pagination.total_count;

describe('a bulk call', () => {
  it('creates up to 100 records, with a result for each in their order', async () => {
    const items = affiliates('hundred', 100);
    const { status, body } = await post('/affiliates/bulk', items);
    expect([status, body.succeeded_count, body.failed_count]).toEqual([200, 100, 0]);
    expect(body.data.map(({ index, result, record }) => [index, result, record?.email])).toEqual(
      items.map(({ email }, index) => [index, 'created', email]),
    );
    expect(await countOf('hundred-')).toBe(100);
  });

  it('refuses more than 100 items, and none, before it creates anything', async () => {
    for (const items of [affiliates('many', 101), []]) {
      const { status, body } = await api.post<ErrorBody>('/affiliates/bulk', { items });
      expect(status).toBe(422);
      expect(body.details![0]!.path).toBe('items');
    }
    expect(await countOf('many-')).toBe(0);
  });

  it('keeps what succeeds when an item fails', async () => {
    const [first, second] = affiliates('partly', 2);
    const { body } = await post('/affiliates/bulk', [
      first!,
      { email: first!.email },
      { ...second!, campaign_id: 'camp_unknown' },
      second!,
    ]);
    expect(body.data.map(({ result, error }) => [result, error?.code ?? null])).toEqual([
      ['created', null],
      ['failed', 'VALIDATION_ERROR'],
      ['failed', 'VALIDATION_ERROR'],
      ['created', null],
    ]);
    expect(body.data[2]).toMatchObject({ record: null, error: { details: [{ path: 'campaign_id' }] } });
    expect([body.succeeded_count, body.failed_count]).toEqual([2, 2]);
    expect(await countOf('partly-')).toBe(2);
  });

  it('is done once under an Idempotency-Key, and continues where it was interrupted', async () => {
    const items = affiliates('keyed', 5);
    const first = await post('/affiliates/bulk', items.slice(0, 3), 'bulk-keyed');
    // The same call with two more items is what a client sends that was interrupted after the third.
    const second = await post('/affiliates/bulk', items, 'bulk-keyed');
    expect(second.body.data.slice(0, 3)).toEqual(first.body.data);
    expect([second.body.succeeded_count, second.headers.get('idempotent-replayed')]).toEqual([5, null]);
    const third = await post('/affiliates/bulk', items, 'bulk-keyed');
    expect([third.body, third.headers.get('idempotent-replayed')]).toEqual([second.body, 'true']);
    expect(await countOf('keyed-')).toBe(5);
    const other = await post('/affiliates/bulk', affiliates('other', 1), 'bulk-keyed');
    expect(other.body.data[0]!.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ code: 'idempotency_key_reused' }] });
    expect(await countOf('other-')).toBe(0);
  });

  it('needs the permission of the single call', async () => {
    const reader = await account.apiWith({ 'v1.affiliates.read': true });
    expect((await reader.post('/affiliates/bulk', { items: affiliates('reader', 1) })).status).toBe(403);
  });

  it('announces each record by its events', async () => {
    const { body } = await post('/affiliates/bulk', affiliates('announced', 2));
    for (const { record } of body.data) {
      const events = await api.get<Outputs['events']['list']>('/events', { subject_id: record!.id });
      expect(events.body.data.map(({ type }) => type)).toEqual(['affiliate.approved', 'affiliate.created']);
    }
  });
});

describe('bulk calls of the other records', () => {
  it('create links and referrals', async () => {
    const { affiliate, campaign } = started;
    const item = { affiliate_id: affiliate.id, campaign_id: campaign.id };
    const links = await post('/links/bulk', [
      { ...item, url: 'https://shop.example.com/a' },
      { ...item, url: 'https://shop.example.com/b', token: 'bulk-b' },
    ]);
    expect(links.body.succeeded_count).toBe(2);
    const referrals = await post('/referrals/bulk', [item, { link_id: links.body.data[1]!.record!.id }]);
    expect(referrals.body.data.map(({ record }) => record)).toMatchObject([
      { affiliate_id: affiliate.id },
      { campaign_id: campaign.id },
    ]);
  });

  it('report sales, of which each counts once', async () => {
    const { id: referral_id } = await refer(account, started);
    const sale = (order: string, amount_cents = 10_000) => ({ external_id: order, referral_id, amount_cents, currency: 'USD' });
    const report = (items: object[]) => api.post<Outputs['tracking']['recordSales']>('/track/sales/bulk', { items });
    const first = await report([sale('b-1'), sale('b-2'), sale('b-1')]);
    expect(first.body.data.map(({ result }) => result)).toEqual(['created', 'created', 'unchanged']);
    expect(first.body.data.map(({ record }) => record?.commission?.amount_cents)).toEqual([1000, 1000, 1000]);
    const second = await report([sale('b-2'), sale('b-2', 500), sale('b-3')]);
    expect(second.body.data.map(({ result, error }) => error?.code ?? result)).toEqual(['unchanged', 'CONFLICT', 'created']);
  });

  it('create manual commissions', async () => {
    const item = { affiliate_id: started.affiliate.id, amount_cents: 700, currency: 'USD', note: 'Bonus' };
    const { body } = await post('/commissions/bulk', [item, { ...item, affiliate_id: 'aff_unknown' }]);
    expect(body.data.map(({ result }) => result)).toEqual(['created', 'failed']);
  });
});
