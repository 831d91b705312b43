import { PROCEDURES, type PermissionMap, permissionName } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ErrorBody, send } from '../support/http.ts';
import { type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
let other: TestAccount;

beforeAll(async () => {
  other = await service.createAccount();
});

function get(headers: Record<string, string>, query: Record<string, string> = {}) {
  return send<ErrorBody>(`${service.url}/api/v1/campaigns`, 'GET', { headers, query });
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const context = () => ({ 'X-Account-Id': account.id });

describe('an API key', () => {
  it.each<[string, (key: string) => Record<string, string>]>([
    ['Bearer', (key) => ({ Authorization: `Bearer ${key}` })],
    ['Bearer in upper or lower case', (key) => ({ Authorization: `bearer  ${key}` })],
    ['Basic, as user name with an empty password', (key) => ({ Authorization: basic(`${key}:`) })],
    ['X-Api-Key', (key) => ({ 'X-Api-Key': key })],
    ['one key in two forms', (key) => ({ Authorization: `Bearer ${key}`, 'X-Api-Key': key })],
  ])('is accepted as %s', async (_form, headers) => {
    expect((await get({ ...headers(account.apiKey), ...context() })).status).toBe(200);
  });

  it.each<[string, (key: string) => Record<string, string>]>([
    ['is missing', () => ({})],
    ['is empty', () => ({ Authorization: 'Bearer ' })],
    ['has another scheme', (key) => ({ Authorization: `Digest ${key}` })],
    ['comes with a password', (key) => ({ Authorization: basic(`${key}:secret`) })],
    ['lacks the colon of Basic', (key) => ({ Authorization: basic(key) })],
    ['has another character at its end', (key) => ({ 'X-Api-Key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` })],
    ['is too long', (key) => ({ 'X-Api-Key': `${key}x` })],
    ['is well-formed and unknown', () => ({ 'X-Api-Key': 'apk_000000000000000000000000000000000000' })],
    ['is sent together with another key', (key) => ({ Authorization: `Bearer ${key}`, 'X-Api-Key': other.apiKey })],
    ['is sent in a list with another key', (key) => ({ 'X-Api-Key': `${key}, ${other.apiKey}` })],
  ])('is refused when it %s', async (_what, headers) => {
    const { status, body, headers: answer } = await get({ ...headers(account.apiKey), ...context() });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect(answer.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the account', () => {
  const key = () => ({ 'X-Api-Key': account.apiKey });

  it.each<[string, () => Promise<{ status: number }>]>([
    ['the header', () => get({ ...key(), ...context() })],
    ['the query', () => get(key(), { account_id: account.id })],
    ['header and query with the same id', () => get({ ...key(), ...context() }, { account_id: account.id })],
  ])('may be named by %s', async (_where, reply) => {
    expect((await reply()).status).toBe(200);
  });

  it('must be named', async () => {
    expect(await get(key())).toMatchObject({ status: 400, body: { code: 'MISSING_ACCOUNT_ID' } });
    expect(await get({ ...key(), 'X-Account-Id': '' })).toMatchObject({ status: 400, body: { code: 'MISSING_ACCOUNT_ID' } });
  });

  it('must not be named twice with different ids', async () => {
    expect(await get({ ...key(), ...context() }, { account_id: other.id })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'account_id' }] },
    });
  });

  it('must be the account of the key, and the response does not reveal whether another account exists', async () => {
    const foreign = await get({ ...key(), 'X-Account-Id': other.id });
    const invented = await get({ ...key(), 'X-Account-Id': 'acct_invented' });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const { request_id: _, ...known } = foreign.body as ErrorBody & { request_id: string };
    expect(invented.body).toMatchObject(known);
    expect(Object.keys(invented.body)).toEqual(Object.keys(foreign.body));
  });

  it('is checked after the key', async () => {
    expect((await get({ 'X-Api-Key': 'wrong' })).status).toBe(401);
    expect((await get({ 'X-Api-Key': 'wrong', 'X-Account-Id': other.id })).status).toBe(401);
    expect((await get({ 'X-Api-Key': 'wrong', ...context() }, { account_id: other.id })).status).toBe(401);
  });
});

describe('a path and its method', () => {
  it('are checked before the credentials', async () => {
    expect((await send(`${service.url}/api/v1/nothing`, 'GET')).status).toBe(404);
    expect((await send(`${service.url}/api/v1/campaigns`, 'PUT')).status).toBe(405);
  });
});

interface Operation {
  path: string;
  method: string;
  url: string;
  permission: string;
  /** Permissions that the operation needs in addition, for other records in its response. */
  also: string[];
}

/** All REST operations that need credentials, with unknown ids in their paths. */
const OPERATIONS: Operation[] = PROCEDURES.flatMap(({ path, meta: { openapi, rest, access } }) => {
  if (!openapi || !rest || access?.resource === undefined) return [];
  const url = `${rest.mount}${openapi.path.replaceAll(/\{\w+\}/g, 'unknown')}`;
  const { resource, action, also = [] } = access;
  const nameOf = (each: typeof resource) => permissionName('v1', each, action);
  return [{ path, method: openapi.method, url, permission: nameOf(resource), also: also.map(nameOf) }];
});

describe('the permission map', () => {
  async function statusWith(permissions: PermissionMap, { method, url }: Operation): Promise<number> {
    const { headers } = await account.apiWith(permissions);
    return (await send(`${service.url}${url}`, method, { headers })).status;
  }

  it('is checked by every operation', () => {
    expect(OPERATIONS.length).toBeGreaterThan(40);
  });

  it.each(OPERATIONS)('allows $path only with $permission', async (operation) => {
    const { permission } = operation;
    const others = Object.fromEntries(operation.also.map((each) => [each, true]));
    for (const each of operation.also) expect(await statusWith({ all: true, [each]: false }, operation)).toBe(403);
    expect(await statusWith({}, operation)).toBe(403);
    expect(await statusWith({ all: true, [permission]: false }, operation)).toBe(403);
    // Permissions for settings have no twin for assistants.
    const forAssistants = [permission.replace(/^v1/, 'mcp')].filter((name) => name !== permission);
    for (const name of forAssistants) expect(await statusWith({ [name]: true }, operation)).toBe(403);
    expect(await statusWith({ [permission]: true, ...others }, operation)).not.toBe(403);
  });

  it('is named in the error when a permission is missing', async () => {
    const reader = await account.apiWith({ 'v1.campaigns.read': true });
    expect(await reader.post('/campaigns', {})).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', details: { permission: 'v1.campaigns.write' } },
    });
  });

  it('is checked before the input is validated', async () => {
    const reader = await account.apiWith({ 'v1.campaigns.read': true });
    expect((await reader.post('/campaigns', { nonsense: 1 })).status).toBe(403);
    expect((await reader.delete('/campaigns/unknown')).status).toBe(403);
  });

  it('also applies to /trpc', async () => {
    const reader = await account.apiWith({ 'v1.campaigns.read': true });
    expect((await reader.send('GET', '/trpc/campaigns.list?input={}')).status).toBe(200);
    expect((await reader.send('POST', '/trpc/campaigns.create', { body: {} })).status).toBe(403);
    expect((await reader.send('GET', '/trpc/webhookEndpoints.list?input={}')).status).toBe(403);
  });
});
