/** Every write that the contract calls conditional honours `If-Match`, whatever it does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import { OPERATIONS } from '../support/contract.ts';
import type { TestAccount } from '../support/service.ts';
import { Changes } from './changes.ts';
import type { Ids } from './procedures.ts';
import { idsOf, seededMerchant } from './seed.ts';
import { REST_TARGETS } from './targets.ts';

const service = usePspService();
let merchant: TestAccount;
let ids: Ids;
let changes: Changes;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  ids = (await idsOf(service, merchant)).set('acct', [merchant.id]);
  changes = await Changes.watch(service.databaseUrl);
});
afterAll(() => changes.close());

/** Fields without which a write refuses the request before it looks at the record. */
const COMPLETING: Record<string, (ids: Ids) => object> = {
  'POST /api/v1/customers/{id}/merge': (known) => ({ customer_id: known.get('cust')![1] }),
  'POST /api/v1/sales/{id}/assign': (known) => ({ affiliate_id: known.get('aff')![0] }),
};

const ORDER = ['PATCH', 'PUT', 'POST', 'DELETE'];
const conditional = OPERATIONS.filter(({ operation }) =>
  operation.parameters?.some((each) => '$ref' in each && each.$ref === '#/components/parameters/IfMatch'),
)
  // Upserts are tested in test/rest/conditional-requests.test.ts, because their paths have no id.
  .filter(({ method, path }) => !(method === 'PUT' && /^\/api\/v1\/(affiliates|customers)\/\{id\}$/.test(path)))
  .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

it('covers the writes of records', () => {
  expect(conditional.length).toBeGreaterThan(25);
});

it.each(conditional)('$method $path compares the version of the record', async ({ method, path }) => {
  const { api } = merchant;
  const target = REST_TARGETS.find(({ name }) => name === `${method} ${path}`)!;
  const draft = { ...target.plain(ids) };
  Object.assign(draft.body ?? {}, COMPLETING[`${method} ${path}`]?.(ids));
  const record = path
    .split('/')
    .slice(0, path.startsWith('/api/settings') ? 6 : 5)
    .join('/')
    .replace('{id}', draft.path['id']!);
  const { status, headers } = await api.get(record);
  const etag = headers.get('etag')!;
  expect({ status, etag }).toEqual({ status: 200, etag: expect.stringMatching(/^"[\w-]{16}\.[\w-]{16}"$/) });
  const send = (match: string) =>
    api.send(method, path.replace('{id}', draft.path['id']!), {
      ...(draft.body === undefined ? {} : { body: draft.body }),
      headers: { 'If-Match': match },
    });
  await changes.take();
  const stale = await send('"AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAA"');
  expect([stale.status, stale.body['code']]).toEqual([412, 'PRECONDITION_FAILED']);
  expect(await changes.take()).toEqual([]);
  const current = await send(etag);
  expect(current.status < 500 && current.status !== 412 ? 'accepted' : current.text).toBe('accepted');
});
