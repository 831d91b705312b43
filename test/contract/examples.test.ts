/** A reader who sends an example of the contract is not refused. */
import type { oas31 } from '@affiliate/rest/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import { OPERATIONS, type Operation, deref } from '../support/contract.ts';
import type { Call, Reply } from '../support/http.ts';
import type { TestAccount } from '../support/service.ts';
import { FILE, type Ids } from './procedures.ts';
import { idsOf, seededMerchant } from './seed.ts';

const service = usePspService({ checksIndexes: true });
let merchant: TestAccount;
let ids: Ids;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  ids = (await idsOf(service, merchant)).set('acct', [merchant.id]);
  await merchant.api.patch(`/campaigns/${ids.get('camp')![1]}`, { default: true });
});

/** Replaces the ids of the contract's story by those of records that exist. */
function withOwnIds(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(
    /\b([a-z]+)_01k9v7m3q8e2t4r6w8y0a1b2c([34])\b/g,
    (id, prefix: string, place: string) => ids.get(prefix)?.[Number(place) - 3] ?? id,
  );
  return JSON.parse(text) as unknown;
}

type Parameter = oas31.ParameterObject;

function parametersOf({ contract, operation }: Operation): Parameter[] {
  return (operation.parameters ?? []).map((each) => deref<Parameter>(contract, each).target);
}

function inQuery({ name, style, example }: Parameter): [string, string][] {
  if (style === 'deepObject') return Object.entries(example as object).map(([key, value]) => [`${name}[${key}]`, String(value)]);
  return [withOwnIds(example)].flat().map((value) => [name, String(value)]);
}

/** Sends the examples of an operation: the body and the path, and of the query those parameters that `isSent` names. */
function send(each: Operation, isSent: (parameter: Parameter) => boolean): Promise<Reply> {
  const parameters = parametersOf(each);
  const path = each.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      String(withOwnIds(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)!.example)),
    ),
  );
  const query = new URLSearchParams(
    parameters.filter((parameter) => parameter.in === 'query' && isSent(parameter)).flatMap((parameter) => inQuery(parameter)),
  ).toString();
  const body = each.operation.requestBody as oas31.RequestBodyObject | undefined;
  const json = body?.content['application/json'];
  const call: Call = { query, ...(json ? { body: withOwnIds(json.example) } : body ? FILE : {}) };
  return merchant.api.send(each.method, path, call);
}

function refusal({ status, body }: Reply): string | null {
  if (status !== 422) return null;
  const { details } = body as { details: { path: string; code: string }[] };
  return details.map(({ path, code }) => `${path} ${code}`).join();
}

const operations = OPERATIONS.filter(({ operation }) => operation.operationId !== undefined);

describe('the example of each parameter of a query is accepted', () => {
  it.each(operations.filter(({ method }) => method === 'GET').map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s',
    async (_, each) => {
      for (const parameter of parametersOf(each).filter((one) => one.in === 'query')) {
        const reply = await send(each, ({ name, required }) => required === true || name === parameter.name);
        expect([parameter.name, parameter.example, refusal(reply)]).toEqual([parameter.name, parameter.example, null]);
      }
    },
  );
});

/** Codes of refusals that depend on what records are there, on the payment provider, or on the network. Every other one means that the example is wrong. */
const OF_RECORDS =
  /^\w+ (taken|not_found|invalid_state|none_eligible|not_positive|not_paid|not_supported|not_accepted|dns_error|no_access)$/;

it('the example of each request is accepted, unless the records refuse it', async () => {
  const refused: string[] = [];
  const wrong: string[] = [];
  // Ends of records come last, so that the other requests find them.
  const isEnd = ({ method, operation }: Operation) => method === 'DELETE' || operation.operationId!.endsWith('.erase');
  const writes = operations.filter(({ method }) => method !== 'GET').toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)));
  for (const each of writes) {
    const reason = refusal(await send(each, ({ required }) => required === true));
    if (reason !== null) (OF_RECORDS.test(reason) ? refused : wrong).push(`${each.method} ${each.path}: ${reason}`);
  }
  // The file of the test is not an image.
  expect(wrong).toEqual(['PUT /api/settings/v1/portal_settings/logo/upload: content unknown_type']);
  expect(refused.length).toBeLessThan(writes.length / 4);
});
