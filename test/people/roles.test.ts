import { type Meta, PROCEDURES, type Procedure, type Role } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { useService, useAccount } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';

/**
 * Permissions of each role in a session (docs/rules/identity.md#roles). Members read everything except API keys and settings, and write affiliates,
 * links, referrals, coupons, promo codes and portal tokens. Admins may do everything else. The permissions are repeated here, so that a procedure that requires too
 * few permissions fails the tests.
 */
const MEMBERS_READ_NOT = ['api_keys', 'webhooks', 'connectors', 'psp', 'members', 'imports'];
const MEMBERS_WRITE = ['affiliates', 'links', 'referrals', 'affiliate_coupons', 'portal_tokens'];
/**
 * Procedures that do not follow the rule of their resource: accepting an invitation requires no role (people/invitations.test.ts), and
 * members revoke the connectors that they authorized (mcp/own-connectors.test.ts).
 */
const OWN_RULE = ['connectors.revoke', 'invitations.update'];
/** Procedures for owners only: removing a member's lost second factor. */
const OWNERS_WRITE = ['members.removeSecondFactor'];

/** Beside them, a viewer only looks, and finance pays and changes payout details. */
const FINANCE_WRITES = ['payouts', 'payout_exports', 'payout_runs', 'payout_outcomes'];

const CALLERS = ['owner', 'admin', 'member', 'finance', 'viewer', 'stranger'] as const;
type Caller = (typeof CALLERS)[number];

const ofAccounts = PROCEDURES.filter(({ path, meta }) => meta.access && !OWN_RULE.includes(path));

/**
 * The procedures that a caller tries over tRPC or REST. In the ordinary run, callers take turns: if one tries a procedure over tRPC, the next tries
 * it over REST.
 */
function triedAt(door: 'tRPC' | 'REST', caller: Caller): [path: string, procedure: Procedure][] {
  return ofAccounts
    .filter(({ meta }, index) => {
      if (!meta.openapi) return door === 'tRPC';
      return THOROUGH || ((index + CALLERS.indexOf(caller)) % 2 === 0) === (door === 'tRPC');
    })
    .map((procedure) => [procedure.path, procedure]);
}

function resourcesOf({ access }: Meta) {
  return [access!.resource, ...(access!.also ?? [])];
}

function mayCall(caller: Caller, { path, meta }: Procedure): boolean {
  const { action } = meta.access!;
  if (caller === 'stranger') return false;
  if (OWNERS_WRITE.includes(path)) return caller === 'owner';
  if (caller === 'owner' || caller === 'admin') return true;
  const writes: readonly string[] = { member: MEMBERS_WRITE, finance: FINANCE_WRITES, viewer: [] }[caller];
  return resourcesOf(meta).every((resource) =>
    action === 'read' ? !MEMBERS_READ_NOT.includes(resource) : writes.includes(resource),
  );
}

const service = useService({ checksIndexes: true });
const account = useAccount(service, 'file');
const browsers = {} as Record<Caller, Browser>;

beforeAll(async () => {
  browsers.owner = (await ownerOf(service, account)).browser;
  for (const role of ['admin', 'member', 'finance', 'viewer'] satisfies Role[])
    browsers[role] = (await newMember(service, account, role)).browser;
  browsers.stranger = (await newMember(service, await service.createAccount(), 'owner')).browser;
});

const context = () => ({ 'X-Account-Id': account.id });

/** Calls a procedure without input. Only the permission is tested: a permitted caller may get any status except 403. */
async function callTrpc(browser: Browser, { path, type }: Procedure): Promise<number> {
  const reply = type === 'query' ? await browser.query(path, {}, context()) : await browser.mutate(path, {}, context());
  return reply.status;
}

async function callRest(browser: Browser, { meta }: Procedure): Promise<number> {
  const path = `${meta.rest!.mount}${meta.openapi!.path.replaceAll(/\{\w+\}/g, 'none')}`;
  const hasBody = !['GET', 'DELETE'].includes(meta.openapi!.method);
  const reply = await browser.send(meta.openapi!.method, path, { headers: context(), ...(hasBody ? { body: {} } : {}) });
  return reply.status;
}

it('every procedure declares who may call it', () => {
  expect(PROCEDURES.length).toBeGreaterThan(30);
  expect(PROCEDURES.filter(({ meta }) => !meta.access === !meta.audience).map(({ path }) => path)).toEqual([]);
  expect(PROCEDURES.filter(({ meta }) => meta.access?.role).map(({ path }) => path)).toEqual([...OWN_RULE, ...OWNERS_WRITE]);
});

describe.each(CALLERS)('%s', (caller) => {
  it.each(triedAt('tRPC', caller))('%s over tRPC', async (_, procedure) => {
    const status = await callTrpc(browsers[caller], procedure);
    expect(status === 403 ? 'refused' : 'let in').toBe(mayCall(caller, procedure) ? 'let in' : 'refused');
    expect(status).toBeLessThan(500);
  });

  it.each(triedAt('REST', caller))('%s over REST', async (_, procedure) => {
    const status = await callRest(browsers[caller], procedure);
    expect(status === 403 ? 'refused' : 'let in').toBe(mayCall(caller, procedure) ? 'let in' : 'refused');
    expect(status).toBeLessThan(500);
  });
});

describe('a caller who is not signed in', () => {
  it.each(PROCEDURES.map((procedure) => [procedure.path, procedure] as const))('%s', async (_, procedure) => {
    const status = await callTrpc(new Browser(service.url, service.services.publicUrl), procedure);
    expect(status === 401).toBe(procedure.meta.audience !== 'anyone');
  });
});

/** REST operations that anyone may call. Credentials of any kind make no difference. */
describe('anyone', () => {
  const open = PROCEDURES.filter(({ meta }) => meta.audience === 'anyone' && meta.openapi);

  it('may call the operations for browsers', () => {
    expect(open.map(({ path }) => path)).toEqual([
      'tracking.followLink',
      'tracking.followProgramLink',
      'tracking.recordVisit',
      'tracking.recordLead',
    ]);
  });

  it.each(open.map((procedure) => [procedure.path, procedure] as const))('%s over REST', async (_, procedure) => {
    const nobody = new Browser(service.url, service.services.publicUrl);
    const elsewhere = new Browser(service.url, 'https://shop.example.com');
    const status = await callRest(nobody, procedure);
    expect([404, 422]).toContain(status);
    for (const browser of [elsewhere, ...Object.values(browsers)]) expect(await callRest(browser, procedure)).toBe(status);
    const { openapi, rest } = procedure.meta;
    const url = `${service.url}${rest!.mount}${openapi!.path.replaceAll(/\{\w+\}/g, 'none')}`;
    const headers = { Authorization: 'Bearer wrong', 'X-Account-Id': 'acct_none' };
    expect((await send(url, openapi!.method, { headers, ...(openapi!.method === 'GET' ? {} : { body: {} }) })).status).toBe(
      status,
    );
  });
});

describe('keys', () => {
  it('do not count as the session of a person', async () => {
    const reply = await send(`${service.url}/trpc/session.get`, 'GET', { headers: account.api.headers });
    expect(reply.status).toBe(401);
  });
});
