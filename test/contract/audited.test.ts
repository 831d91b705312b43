/** Every write by an API key is in the audit log, unless its procedure declares that it reports facts. */
import { beforeAll, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import type { Fields } from '../support/http.ts';
import type { TestAccount } from '../support/service.ts';
import { type Ids, PROCEDURES, type Procedure, callTrpc, completing, plainInput } from './procedures.ts';
import { idsOf, seededMerchant } from './seed.ts';

/** Reports of facts. Nothing else may leave no entry. */
const FACTS = ['customers.upsert', 'leads.create', 'tracking.recordRefund', 'tracking.recordSale', 'tracking.recordSales'];

const service = usePspService();
let merchant: TestAccount;
let ids: Ids;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  ids = (await idsOf(service, merchant)).set('acct', [merchant.id]);
});

/** Ends of records come last, so that the other writes find them. */
const ENDS =
  /\.(?:archive|cancel|deactivate|delete|deleteData|disconnect|end|erase|merge|pay|release|remove|retire|return|revoke|stop|undo|void|withdraw)$/;
const WRITES = PROCEDURES.filter(({ meta }) => meta.access?.action === 'write').toSorted(
  (a, b) => Number(ENDS.test(a.path)) - Number(ENDS.test(b.path)),
);

const SALE = { amount_cents: 500, currency: 'USD', customer_email: 'sold@example.com' };

function inputOf(procedure: Procedure): Fields {
  const own: Record<string, Fields> = {
    // The first key makes the calls.
    'apiKeys.revoke': { id: ids.get('key')?.[1] },
    'leads.create': { referral_id: ids.get('ref')!.at(-1), email: 'lead@example.com' },
    'tracking.recordRefund': { external_id: 'order-grace' },
    'tracking.recordSale': { ...SALE, external_id: 'one' },
    'tracking.recordSales': { items: [{ ...SALE, external_id: 'two' }] },
  };
  return { ...plainInput(procedure, ids), ...completing(procedure, ids), ...own[procedure.path] };
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

async function countEntries({ path }: Procedure): Promise<number> {
  const [tool, action] = path.split('.').map(snakeCase);
  const rows = await service.services.database.kysely
    .selectFrom('audit_log')
    .select('id')
    .where('account_id', '=', merchant.id)
    .where('caller_kind', '=', 'api_key')
    .where('tool', '=', tool!)
    .where('action', '=', action!)
    .execute();
  return rows.length;
}

it('only reports of facts leave no entry', () => {
  const facts = WRITES.filter(({ meta }) => meta.facts).map(({ path }) => path);
  expect(facts.toSorted()).toEqual(FACTS);
});

it('each write that a key makes leaves one entry, and a report of facts none', async () => {
  const made: string[] = [];
  for (const procedure of WRITES) {
    const before = await countEntries(procedure);
    const { status } = await callTrpc(merchant.api, procedure, inputOf(procedure));
    if (status >= 300) continue;
    made.push(procedure.path);
    const entries = (await countEntries(procedure)) - before;
    expect([procedure.path, entries]).toEqual([procedure.path, procedure.meta.facts ? 0 : 1]);
  }
  // The service refuses the others, e.g. because they need a signed-in person.
  expect(made.length).toBeGreaterThan(90);
  expect(made).toEqual(expect.arrayContaining(FACTS));
});

it('a bulk call leaves one entry, with the number of its items', async () => {
  const items = Array.from({ length: 30 }, (_, index) => ({
    email: `bulk-${index}@partner.example`,
    campaign_id: ids.get('camp')![1],
  }));
  const since = service.clock.instant();
  expect((await merchant.api.post('/affiliates/bulk', { items })).body).toMatchObject({ succeeded_count: 30 });
  const { data } = await merchant.client.auditLog.browse.query({ tool: 'affiliates', action: 'create_many', since });
  const { items: kept } = data[0]!.arguments as { items: unknown[] };
  expect([kept.length, kept.at(-1)]).toEqual([21, '[10 more]']);
  const subjects = service.services.database.kysely.selectFrom('audit_subject').select('subject_id');
  const found = (await subjects.where('entry_id', '=', data[0]!.id).execute()).map(({ subject_id }) => subject_id);
  expect(found.filter((id) => id.startsWith('aff_'))).toHaveLength(30);
});
