import type { ContractName, oas31 } from '@affiliate/rest/contract';
import { beforeAll, expect, it } from 'vitest';
import { OPERATIONS, deref } from '../support/contract.ts';
import type { ErrorBody } from '../support/http.ts';
import type { Outputs, TestAccount } from '../support/service.ts';

type Page = Outputs['campaigns']['list'];
type NewAccount = () => Promise<TestAccount>;

const campaign = { name: 'Lists', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };

export function pages(newAccount: NewAccount): void {
  let many: TestAccount;
  beforeAll(async () => {
    many = await newAccount();
    for (let i = 0; i < 105; i += 1) await many.api.post('/campaigns', { ...campaign, name: `Campaign ${i}` });
  });

  const page = async (query: Record<string, string | number>) => (await many.api.get<Page>('/campaigns', query)).body;

  it('hold 25 records, newest first', async () => {
    const { data, pagination } = await page({});
    expect(data.map(({ name }) => name)).toEqual(Array.from({ length: 25 }, (_, i) => `Campaign ${104 - i}`));
    expect(pagination).toEqual({
      previous_page: null,
      current_page: 1,
      next_page: 2,
      previous_cursor: null,
      next_cursor: data.at(-1)!.id,
      count: 25,
      limit: 25,
      total_pages: 5,
      total_count: 105,
    });
  });

  it('end with the remainder, and are empty afterwards', async () => {
    expect((await page({ page: 5 })).pagination).toMatchObject({ previous_page: 4, next_page: null, count: 5 });
    expect(await page({ page: 6 })).toMatchObject({
      data: [],
      pagination: { previous_page: 5, current_page: 6, next_page: null, count: 0 },
    });
    expect(await page({ page: 9_007_199_254_740_991 })).toMatchObject({ data: [], pagination: { next_page: null } });
  });

  it('hold at most 100 records', async () => {
    expect((await page({ limit: 100 })).pagination).toMatchObject({ count: 100, limit: 100, total_pages: 2 });
    expect((await page({ limit: 101 })).pagination).toMatchObject({ count: 100, limit: 100 });
    expect((await page({ limit: 1_000_000 })).pagination).toMatchObject({ count: 100, limit: 100 });
    expect((await page({ limit: 1 })).pagination).toMatchObject({ count: 1, total_pages: 105 });
  });

  it('contain every record exactly once', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((number) => page({ page: number })));
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(105);
  });

  it('have valid pagination for an empty list', async () => {
    const { api } = await newAccount();
    expect((await api.get<Page>('/campaigns')).body).toEqual({
      data: [],
      pagination: {
        previous_page: null,
        current_page: 1,
        next_page: null,
        previous_cursor: null,
        next_cursor: null,
        count: 0,
        limit: 25,
        total_pages: 0,
        total_count: 0,
      },
    });
  });

  it.each(['page=0', 'page=-1', 'page=1.5', 'page=a', 'page=', 'limit=0', 'limit=-5', 'limit=ten', 'limit=1e2', 'limit=0x10'])(
    'refuse %s',
    async (query) => {
      const { status, body } = await many.api.get<ErrorBody>('/campaigns', query);
      expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 422, path: query.split('=')[0] });
    },
  );
}

/** Returns the values that an array parameter takes. */
function valuesOf(contract: ContractName, { schema, example }: { schema?: unknown; example?: unknown }): string[] {
  const { items } = schema as { items: oas31.SchemaObject };
  const { enum: values } = deref<oas31.SchemaObject>(contract, items).target;
  return (values ?? example) as string[];
}

export function arrays(newAccount: NewAccount): void {
  const STATES = ['pending', 'active', 'disabled'];
  let api: TestAccount['api'];
  beforeAll(async () => {
    ({ api } = await newAccount());
    await api.post('/campaigns', { ...campaign, default: true });
    for (const state of [...STATES, 'rejected']) await api.post('/affiliates', { email: `${state}@example.com`, state });
  });

  it.each([
    'state[]=pending&state[]=active&state[]=disabled',
    'state=pending&state=active&state=disabled',
    'state=pending,active,disabled',
    'state=pending,active&state[]=disabled',
    'state%5B%5D=pending&state=active%2Cdisabled',
    `${'state[]=pending&'.repeat(30)}state=active,disabled`,
  ])('are read from %s', async (query) => {
    const { body } = await api.get<Outputs['affiliates']['list']>('/affiliates', query);
    expect(new Set(body.data.map(({ state }) => state))).toEqual(new Set(STATES));
  });

  const arrays = OPERATIONS.flatMap(({ method, path, contract, operation }) =>
    (operation.parameters ?? []).flatMap((parameter) =>
      'schema' in parameter && parameter.in === 'query' && (parameter.schema as { type?: unknown }).type === 'array'
        ? [{ method, path, name: parameter.name, values: valuesOf(contract, parameter) }]
        : [],
    ),
  );
  it.each(arrays)('are read in every form by $method $path: $name', async ({ method, path, name, values: [value] }) => {
    const url = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, 'unknown');
    const forms = [`${name}=V&${name}=V`, `${name}[]=V&${name}[]=V`, `${name}=V,V`, `${name}[]=V,V`, `${name}=V&${name}[]=V,V`];
    const codes = [];
    for (const form of forms) {
      const { status, body } = await api.send(method, url, { query: form.replaceAll('V', encodeURIComponent(value!)) });
      codes.push(status === 200 || status === 204 ? 'OK' : (body['code'] as string));
    }
    // The payouts of an export must exist; the values of all other parameters are filters.
    const found = name === 'payout_ids' ? 'VALIDATION_ERROR' : 'OK';
    expect(new Set(codes)).toEqual(new Set([path.includes('{') ? 'NOT_FOUND' : found]));
  });

  it.each(['state=pending,', 'state=', 'state[]=unknown', 'state[x]=active', 'expand=campaign,secrets'])(
    'refuse %s',
    async (query) => {
      expect(await api.get('/affiliates', query)).toMatchObject({ status: 422 });
    },
  );
}
