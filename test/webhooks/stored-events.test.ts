import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { program, type Program } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type EventPage = Outputs['events']['list'];
type EventRecord = Outputs['events']['get'];

const service = useService();
const account = useAccount(service, 'file');
let other: TestAccount;
let first: Program;
let second: Program;

beforeAll(async () => {
  other = await service.createAccount();
  first = await program(account);
  service.clock.advance(1, 'hours');
  second = await program(account);
  service.clock.advance(1, 'hours');
  await account.api.post('/referrals', { link_id: second.link.id });
});

const list = async (query: string, { api } = account) => (await api.get<EventPage>('/events', query)).body;
const typesOf = ({ data }: EventPage) => data.map(({ type }) => type);

describe('GET /events', () => {
  it('lists events without any endpoint, newest first, page by page', async () => {
    const all = await list('');
    expect(typesOf(all)).toEqual([
      'referral.created',
      'link.created',
      'affiliate.approved',
      'affiliate.created',
      'campaign.created',
      'link.created',
      'affiliate.approved',
      'affiliate.created',
      'campaign.created',
    ]);
    expect(all.pagination).toMatchObject({ current_page: 1, next_page: null, count: 9, total_count: 9 });
    const paged = await Promise.all([1, 2, 3].map((page) => list(`limit=4&page=${page}`)));
    expect(paged.flatMap(({ data }) => data)).toEqual(all.data);
    expect(paged[0]!.pagination).toMatchObject({ next_page: 2, total_pages: 3 });
  });

  it('filters by type, by the record and by time', async () => {
    expect(typesOf(await list('type=affiliate.approved,referral.created'))).toEqual([
      'referral.created',
      'affiliate.approved',
      'affiliate.approved',
    ]);
    const ofFirst = await list(`subject_id=${first.affiliate.id}`);
    expect(ofFirst.data.map(({ subject_id }) => subject_id)).toEqual([first.affiliate.id, first.affiliate.id]);
    const since = encodeURIComponent(second.affiliate.created_at);
    expect((await list(`occurred_since=${since}`)).pagination.total_count).toBe(5);
    expect((await list(`occurred_since=${since}&occurred_until=${since}`)).pagination.total_count).toBe(4);
    expect((await account.api.get('/events', 'type=order.created')).status).toBe(422);
  });

  it('follows the sequence of events after a number, oldest first', async () => {
    const all = await list('');
    const sequences = all.data.map(({ sequence }) => sequence);
    expect(sequences).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const followed: number[] = [];
    for (;;) {
      const { data } = await list(`after_sequence=${followed.at(-1) ?? 0}&limit=2`);
      if (data.length === 0) break;
      followed.push(...data.map(({ sequence }) => sequence));
    }
    expect(followed).toEqual(sequences.toReversed());
    expect((await list('after_sequence=3&type=affiliate.approved')).data.map(({ sequence }) => sequence)).toEqual([7]);
    expect((await account.api.get('/events', 'after_sequence=-1')).status).toBe(422);
  });

  it('shows the deliveries of each event on request', async () => {
    const shop = await service.createAccount();
    const endpoint = { url: 'http://127.0.0.1:1024/hooks', event_types: ['affiliate.created', 'affiliate.approved'] } as const;
    const subscribe = async (name: string) =>
      (await shop.client.webhookEndpoints.create.mutate({ name, ...endpoint, event_types: [...endpoint.event_types] })).id;
    const endpoints = [await subscribe('Orders'), await subscribe('Mail')];
    const { affiliate } = await program(shop);
    await shop.api.patch(`/affiliates/${affiliate.id}`, { state: 'disabled' });
    const { data } = await list(`subject_id=${affiliate.id}&expand=deliveries`, shop);
    expect(data.map(({ type, deliveries }) => [type, deliveries!.length])).toEqual([
      ['affiliate.updated', 0],
      ['affiliate.approved', 2],
      ['affiliate.created', 2],
    ]);
    const { id, deliveries } = data.at(-1)!;
    expect(deliveries!.map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual(endpoints.toSorted());
    expect(deliveries!.map(({ event_id }) => event_id)).toEqual([id, id]);
    const one = await shop.api.get<EventRecord>(`/events/${id}`, 'expand=deliveries');
    expect(one.body.deliveries!.map((delivery) => delivery.id)).toEqual(deliveries!.map((delivery) => delivery.id));
    expect((await list(`subject_id=${affiliate.id}`, shop)).data[0]).not.toHaveProperty('deliveries');
  });

  it('shows nothing to another account', async () => {
    expect((await list('', other)).data).toEqual([]);
    expect((await list(`subject_id=${first.affiliate.id}`, other)).data).toEqual([]);
  });
});

describe('GET /events/{id}', () => {
  it('returns the data as it was when the event occurred', async () => {
    const [created] = (await list(`subject_id=${first.affiliate.id}&type=affiliate.created`)).data;
    await account.api.patch(`/affiliates/${first.affiliate.id}`, { state: 'disabled' });
    const { body } = await account.api.get<EventRecord>(`/events/${created!.id}`);
    expect(body).toEqual({
      id: created!.id,
      type: 'affiliate.created',
      api_version: 'v1',
      sequence: 2,
      occurred_at: first.affiliate.created_at,
      actor: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
      subject_id: first.affiliate.id,
      test: false,
      previous_attributes: null,
      data: expect.objectContaining({ id: first.affiliate.id, email: first.affiliate.email, state: 'active' }),
    });
  });

  it('shows the former values exactly, of those fields alone whose values differ', async () => {
    const path = `/affiliates/${second.affiliate.id}`;
    const name = 'Ada "the first" \\ of Ünïcode 🦊';
    const change = async (fields: Fields) => {
      expect((await account.api.patch(path, fields)).status).toBe(200);
      return (await list(`subject_id=${second.affiliate.id}&limit=1`)).data[0]!.previous_attributes;
    };
    expect(await change({ first_name: name, metadata: { b: '1', a: 'x "y"' } })).toEqual({
      first_name: second.affiliate.first_name,
      metadata: {},
    });
    expect(await change({ first_name: 'Ada', metadata: { a: 'x "y"', b: '1' } })).toEqual({ first_name: name });
    expect(await change({ first_name: null, metadata: { a: 'z' } })).toEqual({
      first_name: 'Ada',
      metadata: { a: 'x "y"', b: '1' },
    });
  });

  it('answers 404 to an unknown id and to the id of another account’s event', async () => {
    const [event] = (await list('')).data;
    for (const [{ api }, id] of [
      [account, 'evt_unknown'],
      [other, event!.id],
    ] as const)
      expect(await api.get(`/events/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('returns the event of a test delivery, which the list leaves out', async () => {
    const { id } = await account.client.webhookEndpoints.create.mutate({
      name: 'Receiver',
      url: 'http://127.0.0.1:1024/hooks',
      event_types: ['payout.paid'],
      active: false,
    });
    const { event_id } = await account.client.webhookEndpoints.sendTest.mutate({ id });
    expect((await account.api.get<EventRecord>(`/events/${event_id}`)).body).toMatchObject({ type: 'payout.paid', test: true });
    expect((await list('type=payout.paid')).data).toEqual([]);
  });
});

it('needs the permission to read webhooks', async () => {
  const all = await account.apiWith({ all: true, 'settings.webhooks.read': false });
  for (const path of ['/events', '/events/evt_unknown'])
    expect(await all.get(path)).toMatchObject({ status: 403, body: { details: { permission: 'settings.webhooks.read' } } });
  expect((await (await account.apiWith({ 'settings.webhooks.read': true })).get('/events')).status).toBe(200);
});
