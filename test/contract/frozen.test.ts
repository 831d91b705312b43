import { readFileSync } from 'node:fs';
import type { oas31 } from '@affiliate/rest/contract';
import { describe, expect, it } from 'vitest';
import { CONTRACT } from '../support/contract.ts';
import { breaches } from './breaches.ts';
import { type Part, specifiedPart } from './frozen-part.ts';
import { SPEC_ENDPOINTS } from './spec-endpoints.ts';

/** The promised part of the contract. `pnpm contract:freeze` adds what has been added to the contract since. */
const FROZEN = JSON.parse(readFileSync(new URL('frozen.json', import.meta.url), 'utf8')) as Part;

type Operations = Record<string, Record<string, oas31.OperationObject>>;
type Schemas = Record<string, oas31.SchemaObject>;

describe('the endpoints of the original specification', () => {
  it('are all frozen', () => {
    const frozen = Object.entries(FROZEN.paths as Operations).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(frozen.toSorted()).toEqual(SPEC_ENDPOINTS.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('have changed only by additions', () => {
    expect(breaches(FROZEN, CONTRACT)).toEqual([]);
  });
});

describe('a change of the contract', () => {
  const changed = (change: (part: { operations: Operations; schemas: Schemas; part: Part }) => void) => {
    const part = structuredClone(specifiedPart(CONTRACT));
    change({ part, operations: part.paths as Operations, schemas: part.components!.schemas as Schemas });
    return breaches(FROZEN, part);
  };

  it.each<[string, string, Parameters<typeof changed>[0]]>([
    ['an operation', 'GET /api/v1/links is gone', ({ operations }) => delete operations['/api/v1/links']!['get']],
    [
      'a filter',
      'GET /api/v1/links query affiliate_id is gone',
      ({ operations }) => {
        const list = operations['/api/v1/links']!['get']!;
        list.parameters = list.parameters!.filter((each) => !('name' in each && each.name === 'affiliate_id'));
      },
    ],
    [
      'a field of a response',
      'GET /api/v1/links/{id} 200.url is gone',
      ({ schemas }) => delete schemas['Link']!.properties!['url'],
    ],
    [
      'a required field of a response',
      'GET /api/v1/links/{id} 200.url is now optional',
      ({ schemas }) => (schemas['Link']!.required = schemas['Link']!.required!.filter((name) => name !== 'url')),
    ],
    [
      'the type of a field',
      'GET /api/v1/links/{id} 200.url type null',
      ({ schemas }) => (schemas['Link']!.properties!['url'] = { type: ['string', 'null'], format: 'uri' }),
    ],
    [
      'a state of a record',
      'GET /api/v1/payouts/{id} 200.state value "due" is gone',
      ({ schemas }) =>
        (schemas['Payout']!.properties!['state'] = { type: 'string', enum: ['pending', 'processing', 'paid', 'returned'] }),
    ],
    [
      'a request by a new required field',
      'POST /api/v1/links body.token is now required',
      ({ schemas }) => schemas['LinksCreateRequest']!.required!.push('token'),
    ],
    [
      'a bound of a request',
      'POST /api/v1/affiliates body.email maxLength is narrower',
      ({ schemas }) => Object.assign(schemas['AffiliatesCreateRequest']!.properties!['email']!, { maxLength: 10 }),
    ],
    [
      'the status of a success',
      'DELETE /api/v1/links/{id} 204 is gone',
      ({ operations }) => delete operations['/api/v1/links/{id}']!['delete']!.responses!['204'],
    ],
  ])('that removes or narrows %s is found', (_, expected, change) => {
    expect(changed(change)).toContain(expected);
  });

  it('that adds a field, a filter, a state or an error is allowed', () => {
    const problems = changed(({ operations, schemas }) => {
      schemas['Link']!.properties!['added'] = { type: 'string' };
      schemas['LinksCreateRequest']!.properties!['added'] = { type: 'string' };
      (schemas['Payout']!.properties!['state'] as oas31.SchemaObject) = {
        type: 'string',
        enum: ['pending', 'due', 'processing', 'paid', 'returned', 'added'],
      };
      const list = operations['/api/v1/links']!['get']!;
      list.parameters!.push({ name: 'added', in: 'query', schema: { type: 'string' } });
      list.responses!['418'] = { description: 'Added.' };
    });
    expect(problems).toEqual([]);
  });
});
