import { advanceImports } from '@affiliate/core';
import type { oas31 } from '@affiliate/rest/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { idsOf, seededMerchant } from '../contract/seed.ts';
import { usePspService } from '../psp/service.ts';
import { OPERATIONS, deref } from '../support/contract.ts';
import type { ErrorBody } from '../support/http.ts';
import { must, program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';

type Row = Record<string, unknown>;
interface List {
  data: Row[];
  pagination: {
    previous_page: number | null;
    current_page?: number;
    next_page: number | null;
    previous_cursor: string | null;
    next_cursor: string | null;
    count: number;
    total_count?: number;
    total_pages?: number;
  };
}
type Query = Record<string, string | number>;

const service = usePspService();
let account: TestAccount;
let ids: Map<string, string[]>;

beforeAll(async () => {
  account = await seededMerchant(service);
  const { affiliate, campaign } = await program(account, {}, { state: 'pending' });
  for (let link = 0; link < 3; link += 1)
    await must(account, '/links', { affiliate_id: affiliate.id, campaign_id: campaign.id, url: 'https://shop.example.com' });
  await advanceImports(service.services);
  ids = await idsOf(service, account);
});

/** The lists of both contracts in each of their orders. */
const LISTS = OPERATIONS.flatMap(({ method, path, contract, operation }) => {
  const parameters = (operation.parameters ?? []).map((each) => deref<oas31.ParameterObject>(contract, each).target);
  const isPaged = method === 'GET' && parameters.some(({ name }) => name === 'page');
  const { schema } = parameters.find(({ name }) => name === 'sort') ?? {};
  const orders = ((schema as oas31.SchemaObject | undefined)?.enum as string[] | undefined) ?? [''];
  return isPaged ? orders.map((sort) => ({ path, sort, names: parameters.map(({ name }) => name) })) : [];
});

/** Returns the address of a list. Its path may name a record of the account. */
function addressOf(path: string): string {
  const list = path.split('/{')[0]!.split('/').at(-1)!;
  const kind = { imports: 'imp', payout_runs: 'prun', payouts: 'payout' }[list] ?? 'aff';
  return path.replaceAll(/\{(\w+)\}/g, () => ids.get(kind)![0]!);
}

async function read(path: string, query: Query): Promise<List> {
  const { status, body } = await account.api.get<List>(addressOf(path), query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Reads a list from one end to the other, two records at a time. */
async function walk(path: string, first: Query, cursor: (page: List) => Query | null): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let query: Query | null = first; query;) {
    const page: List = await read(path, { ...first, ...query });
    pages.push(page.data);
    query = cursor(page);
  }
  return pages;
}

describe.each(LISTS)('GET $path $sort', ({ path, sort, names }) => {
  const order: Query = sort === '' ? {} : { sort };

  it('has the same records by cursor, in both directions, as by page', async () => {
    expect(names).toEqual(expect.arrayContaining(['starting_after', 'ending_before', 'include_total']));
    const { data: all } = await read(path, { ...order, limit: 100 });
    expect(all.length).toBeGreaterThan(0);

    const first = { ...order, limit: 2, include_total: 'false' };
    const forward = await walk(path, first, ({ pagination: { next_cursor } }) =>
      next_cursor === null ? null : { starting_after: next_cursor },
    );
    expect(forward.flat()).toEqual(all);
    expect(forward).toHaveLength(Math.ceil(all.length / 2));

    const last = await read(path, { ...order, limit: 2, page: Math.ceil(all.length / 2) });
    const backward = [last.data];
    for (let cursor = last.pagination.previous_cursor; cursor !== null;) {
      const page = await read(path, { ...order, limit: 2, ending_before: cursor });
      expect(page.pagination.next_cursor).not.toBeNull();
      expect(page.pagination.total_count).toBe(all.length);
      backward.unshift(page.data);
      cursor = page.pagination.previous_cursor;
    }
    expect(backward.flat()).toEqual(all);
  });
});

describe('a page by cursor', () => {
  const list = (query: Query) => read('/affiliates', query);

  it('has cursors instead of page numbers, and the same total count', async () => {
    const first = await list({ limit: 1 });
    expect(first.pagination).toMatchObject({ current_page: 1, next_page: 2, previous_cursor: null, total_count: 4 });
    const second = await list({ limit: 1, starting_after: first.pagination.next_cursor! });
    expect(second.pagination).toEqual({
      previous_page: null,
      next_page: null,
      previous_cursor: second.data[0]!['id'],
      next_cursor: second.data[0]!['id'],
      count: 1,
      limit: 1,
      total_pages: 4,
      total_count: 4,
    });
    expect((await list({ limit: 1, page: 2 })).data).toEqual(second.data);
  });

  it('has no count with include_total=false, and still knows whether a page follows', async () => {
    const { pagination } = await list({ limit: 3, include_total: 'false' });
    expect(pagination).toMatchObject({ current_page: 1, next_page: 2, next_cursor: expect.any(String) });
    expect(pagination).not.toHaveProperty('total_count');
    expect(pagination).not.toHaveProperty('total_pages');
    const rest = await list({ limit: 3, page: 2, include_total: 'false' });
    expect(rest.pagination).toMatchObject({ previous_page: 1, next_page: null, next_cursor: null, count: 1 });
  });

  it('is empty after the last record, and counts all records', async () => {
    const { data } = await list({});
    const { pagination, data: behind } = await list({ starting_after: String(data.at(-1)!['id']) });
    expect({ behind, pagination }).toMatchObject({
      behind: [],
      pagination: { next_cursor: null, previous_cursor: null, total_count: 4 },
    });
  });

  const encoded = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  it.each([
    ['starting_after=no+cursor', 'starting_after'],
    ['starting_after=', 'starting_after'],
    ['starting_after=bogus', 'starting_after'],
    ['ending_before=camp_01', 'ending_before'],
    ['sort=email&starting_after=aff_01', 'starting_after'],
    [`sort=email&starting_after=${encoded(['updated_at', '2026-01-01T00:00:00.000Z', 'aff_01'])}`, 'starting_after'],
    [`sort=email&starting_after=${encoded(['email', 'a\0', 'aff_01'])}`, 'starting_after'],
    [`sort=email&starting_after=${encoded(['email', '\ud800', 'aff_01'])}`, 'starting_after'],
    [`sort=updated_at&ending_before=${encoded(['updated_at', 'yesterday', 'aff_01'])}`, 'ending_before'],
    [`sort=updated_at&ending_before=${encoded(['updated_at', '2026-01-01T00:00:00.000Z', "'"])}`, 'ending_before'],
    ['starting_after=aff_01&ending_before=aff_02', 'ending_before'],
    ['starting_after=aff_01&page=2', 'page'],
    ['include_total=maybe', 'include_total'],
  ])('is refused for %s', async (query, path) => {
    const { status, body } = await account.api.get<ErrorBody>('/affiliates', query);
    expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path });
  });
});

describe('a mirror that reads records in the order of their changes', () => {
  let shop: TestAccount;
  beforeAll(async () => {
    shop = await service.createAccount();
    await must(shop, '/campaigns', {
      name: 'Friends',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 10,
      default: true,
    });
    for (let i = 0; i < 35; i += 1) {
      await must(shop, '/affiliates', { email: `mirrored-${i}@example.com` });
      if (i % 3 === 0) service.clock.advance(1, 'seconds');
    }
  });

  /** Reads all pages. After each page, records that were already read change. Returns the ids of the records that the mirror has not read. */
  async function lost(next: (page: List, number: number) => Query | null): Promise<number> {
    const mirror = new Set<unknown>();
    for (let query: Query | null = {}, number = 1; query && number < 50; number += 1) {
      const { body } = await shop.api.get<List>('/affiliates', { sort: 'updated_at', limit: 10, ...query });
      for (const { id } of body.data) mirror.add(id);
      query = next(body, number);
      // Two records change per page, and move to the end of the list.
      for (const { id } of number > 4 ? [] : body.data.slice(0, 2)) {
        service.clock.advance(1, 'seconds');
        expect(await shop.api.patch(`/affiliates/${String(id)}`, { first_name: `Augusta ${number}` })).toMatchObject({
          status: 200,
        });
      }
    }
    return 35 - mirror.size;
  }

  it('misses records by page, because changed records leave gaps that later records fill', async () => {
    expect(await lost(({ pagination: { next_page } }) => (next_page === null ? null : { page: next_page }))).toBeGreaterThan(0);
  });

  it('misses none by cursor', async () => {
    const rest = ({ pagination: { next_cursor } }: List) => (next_cursor === null ? null : { starting_after: next_cursor });
    expect(await lost(rest)).toBe(0);
  });
});
