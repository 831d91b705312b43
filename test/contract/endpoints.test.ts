import type { oas31 } from '@affiliate/rest/contract';
import { describe, expect, it } from 'vitest';
import { CONTRACTS, OPERATIONS, type Operation, deref } from '../support/contract.ts';
import { PROCEDURES } from './procedures.ts';
import { ADDED_ENDPOINTS, SPEC_ENDPOINTS } from './spec-endpoints.ts';

const ENDPOINTS = [...SPEC_ENDPOINTS, ...ADDED_ENDPOINTS];
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const operations = new Map(OPERATIONS.map((operation) => [nameOf(operation), operation]));

function parameters({ contract, operation }: Operation, place: 'query' | 'path'): string[] {
  return (operation.parameters ?? []).flatMap((parameter) => {
    const { target } = deref<oas31.ParameterObject>(contract, parameter);
    return target.in === place && target.name !== 'account_id' ? [target.name] : [];
  });
}

function bodySchema({ contract, operation }: Operation): oas31.SchemaObject {
  const body = operation.requestBody as oas31.RequestBodyObject | undefined;
  const schema = body?.content['application/json']?.schema;
  return schema ? deref<oas31.SchemaObject>(contract, schema).target : {};
}

describe('the promised endpoints', () => {
  it.each(ENDPOINTS.map((endpoint) => [nameOf(endpoint), endpoint] as const))('include %s', (name, endpoint) => {
    const operation = operations.get(name)!;
    expect(operation, 'is in the contract').toBeDefined();
    expect(parameters(operation, 'query')).toEqual(expect.arrayContaining([...(endpoint.query ?? [])]));
    expect(parameters(operation, 'path')).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    const body = bodySchema(operation);
    expect(Object.keys(body.properties ?? {})).toEqual(expect.arrayContaining([...(endpoint.body ?? [])]));
    expect(body.required ?? []).toEqual(expect.arrayContaining([...(endpoint.requiredBody ?? [])]));
    expect(Object.keys(operation.operation.responses ?? {})).toContain(String(endpoint.status));
  });

  it('are the only endpoints below /api', () => {
    const specified = new Set(ENDPOINTS.map(nameOf));
    expect([...operations.keys()].filter((name) => name.includes('/api/') && !specified.has(name))).toEqual([]);
  });
});

/** Procedures without a REST path: what only a person does in the browser. */
const OF_BROWSERS = [
  /^portal\./,
  /^(?:profile|session|setup|installation)\./,
  // Sign-up pages, and joining by an invitation.
  /^join\./,
  /^invitations\.(?:preview|join)$/,
  // The account itself.
  /^account\.(?:create|leave|delete|restore|removeExample|requireSecondFactor)$/,
  // Variants for pages of `affiliates.createPortalLink`, `auditLog.list`, lists with one record, and `payoutExports.get`.
  'affiliates.viewPortal',
  'auditLog.browse',
  // Emails with links that stand for persons, so only an owner in a browser reads them.
  'account.unsentMails',
  'overview.firstSteps',
  'payoutExports.download',
] as const;

it('every procedure for programs has a REST path', () => {
  const without = PROCEDURES.filter(({ meta }) => !meta.rest).map(({ path }) => path);
  const isOfBrowsers = (path: string) => OF_BROWSERS.some((each) => (typeof each === 'string' ? each === path : each.test(path)));
  expect(without.filter((path) => !isOfBrowsers(path))).toEqual([]);
  for (const each of OF_BROWSERS)
    expect(without.filter((path) => (typeof each === 'string' ? each === path : each.test(path)))).not.toEqual([]);
});

it.each(Object.entries(CONTRACTS))('the contract %s lists the accepted credentials', (_, { security, components }) => {
  expect(security).toEqual([{ bearer: [] }, { basic: [] }, { apiKey: [] }]);
  expect(Object.keys(components!.securitySchemes!)).toEqual(expect.arrayContaining(['bearer', 'basic', 'apiKey']));
});
