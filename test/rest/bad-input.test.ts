import { type Meta, appRouter } from '@affiliate/core';
import type { AnyTRPCProcedure } from '@trpc/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

/** None of them is right anywhere, or else it is harmless. */
const BAD_VALUES: unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  ' ',
  'a\0b',
  '\ud800',
  "'; drop table account; --",
  '${x} %s %00 \\',
  'x'.repeat(100_000),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  [],
  [null],
  [['a']],
  ['\0'],
  {},
  { a: { b: { c: {} } } },
  { '': '' },
  JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`),
];

interface Operation {
  name: string;
  method: string;
  url: string;
  fields: string[];
  inQuery: boolean;
}

const OPERATIONS: Operation[] = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>).flatMap(
  ([name, { _def }]) => {
    const { openapi, rest } = _def.meta as Meta;
    if (!openapi || !rest) return [];
    const inPath = [...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const input = (_def as unknown as { inputs: { shape: object }[] }).inputs[0]!;
    return [
      {
        name,
        method: openapi.method,
        url: `${rest.mount}${openapi.path.replaceAll(/\{\w+\}/g, 'unknown')}`,
        fields: Object.keys(input.shape).filter((field) => !inPath.includes(field)),
        inQuery: openapi.method === 'GET',
      },
    ];
  },
);

async function statusOf({ method, url, inQuery }: Operation, field: string, value: unknown): Promise<number> {
  if (!inQuery) return (await account.api.send(method, url, { body: { [field]: value } })).status;
  const text = typeof value === 'string' ? value.slice(0, 2_000) : JSON.stringify(value);
  return (await account.api.send(method, url, { query: new URLSearchParams([[field, text]]).toString() })).status;
}

it('looks at every operation of the API', () => {
  expect(OPERATIONS.length).toBeGreaterThan(40);
});

it.each(OPERATIONS)('$method $url answers whatever its fields hold', async (operation) => {
  for (const field of operation.fields) {
    const statuses = await Promise.all(BAD_VALUES.map((value) => statusOf(operation, field, value)));
    const faults = BAD_VALUES.filter((_value, index) => statuses[index]! >= 500);
    expect({ field, faults: faults.map((value) => JSON.stringify(value).slice(0, 80)) }).toEqual({ field, faults: [] });
  }
});

it.each(OPERATIONS.filter(({ url }) => url.includes('unknown')))(
  '$method $url answers whatever its path holds',
  async (operation) => {
    for (const id of ['%00', '%ED%A0%80', "'", '%27%20or%201=1', 'x'.repeat(5_000), '-1', 'null', '%2e%2e']) {
      const { status } = await account.api.send(operation.method, operation.url.replaceAll('unknown', id), {});
      expect({ id, isFault: status >= 500 }).toEqual({ id, isFault: false });
    }
  },
);
