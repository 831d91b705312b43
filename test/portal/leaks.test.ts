/**
 * Two affiliates of one account have the same kinds of records. The first affiliate calls procedures with their own ids and with ids of the
 * second affiliate. An applicant, a member, an affiliate of another account, and an anonymous caller call procedures with ids of the second
 * affiliate. No response may show any data of the second affiliate.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ids, PROCEDURES, type Procedure, completing, idPrefix, plainInput, valueFor } from '../contract/procedures.ts';
import { AccountRows, type Row, idsIn, seededMerchant } from '../contract/seed.ts';
import { usePspService } from '../psp/service.ts';
import { Browser } from '../support/browser.ts';
import type { Fields } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { must } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { sample } from '../support/thorough.ts';
import { PortalVisitor } from './people.ts';

const service = usePspService();
let merchant: TestAccount;
let rows: AccountRows;
let own: Ids;
let foreign: Ids;
let secrets: string[];
let before: Row[];
const callers = {} as Record<'affiliate' | 'applicant' | 'member' | 'stranger' | 'nobody', Browser>;
let calls = 0;

/** Selects the affiliate's row, and the records with the affiliate's id. */
function recordsOf(all: readonly Row[], affiliateId: string): Row[] {
  const ids = new Set([affiliateId]);
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const { table, row } of all) {
      if (['affiliate', 'campaign', 'account', 'event', 'delivery'].includes(table)) continue;
      if (row['affiliate_id'] === affiliateId && typeof row['id'] === 'string') ids.add(row['id']);
    }
  }
  return all.filter(({ row }) => ids.has(row['id'] as string));
}

beforeAll(async () => {
  merchant = await seededMerchant(service);
  const { data: affiliates } = await merchant.client.affiliates.list.query({});
  const [ada, grace] = ['ada', 'grace'].map((name) => affiliates.find(({ email }) => email.startsWith(name))!.id) as [
    string,
    string,
  ];
  await must(merchant, '/affiliates', {
    email: 'applicant@partner.example',
    state: 'pending',
    campaign_id: affiliates[0]!.campaign_id,
  });
  rows = await AccountRows.open(service);
  const visitor = await PortalVisitor.enter(service, merchant, 'ada@partner.example');
  callers.affiliate = visitor.browser;
  callers.applicant = (await PortalVisitor.enter(service, merchant, 'applicant@partner.example')).browser;
  callers.member = (await newMember(service, merchant, 'owner')).browser;
  const elsewhere = await service.createAccount();
  const campaign = await must<{ id: string }>(elsewhere, '/campaigns', {
    name: 'X',
    url: 'https://x.example',
    reward_type: 'percent',
    commission_percent: 1,
  });
  await must(elsewhere, '/affiliates', { email: 'stranger@partner.example', campaign_id: campaign.id });
  callers.stranger = (await PortalVisitor.enter(service, elsewhere, 'stranger@partner.example')).browser;
  callers.nobody = new Browser(service.url, service.services.publicUrl);
  const all = await rows.of(merchant.id);
  own = idsIn(recordsOf(all, ada));
  foreign = idsIn(recordsOf(all, grace));
  secrets = [...foreign.values()].flat().concat('grace@partner.example', 'grace@pay.example', 'customer-of-grace');
  before = recordsOf(all, grace);
});
afterAll(async () => {
  process.stdout.write(`leak test: ${calls} calls\n`);
  await rows.close();
});

const ofAffiliates = PROCEDURES.filter(({ meta }) => meta.audience === 'affiliate');
const others = PROCEDURES.filter(({ meta }) => meta.audience !== 'affiliate' && meta.audience !== 'anyone');

function idFields({ input }: Procedure): string[] {
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]) => (idPrefix(schema) === null ? [] : [name]));
}

async function call(browser: Browser, { path, type }: Procedure, input: Fields, opened: Record<string, string> = {}) {
  calls += 1;
  const context = { 'X-Account-Id': merchant.id, ...opened };
  const reply = type === 'query' ? await browser.query(path, input, context) : await browser.mutate(path, input, context);
  return { status: reply.status, text: reply.text };
}

const shown = (text: string, sent: Fields = {}) =>
  secrets.filter((secret) => text.includes(secret) && !JSON.stringify(sent).includes(secret));

it('there are records of both affiliates, and procedures for each kind of record', () => {
  expect([...own.keys()].toSorted()).toEqual(expect.arrayContaining(['aff', 'com', 'link', 'payout', 'ref', 'sale']));
  expect([...foreign.keys()].toSorted()).toEqual(expect.arrayContaining(['aff', 'com', 'link', 'payout', 'ref', 'sale']));
  expect(ofAffiliates.length).toBeGreaterThan(10);
});

const trespasses = ofAffiliates.flatMap((procedure) => idFields(procedure).map((name) => ({ procedure, name })));

describe('an id of another affiliate is answered like an unknown id', () => {
  it.each(trespasses)('$procedure.path $name', async ({ procedure, name }) => {
    const schema = procedure.input.properties![name]!;
    const plain = plainInput(procedure, own);
    const trespass = { ...plain, [name]: valueFor(schema, foreign) };
    const answer = await call(callers.affiliate, procedure, trespass);
    expect(answer).toEqual(await call(callers.affiliate, procedure, { ...plain, [name]: valueFor(schema, new Map()) }));
    expect(shown(answer.text, trespass)).toEqual([]);
  });
});

const OUTSIDERS = ['affiliate', 'applicant', 'stranger', 'nobody'] as const;

describe.each(OUTSIDERS)('the procedures of the program refuse: %s', (who) => {
  // In the ordinary run, an affiliate tries all procedures, and all other callers try every third procedure.
  const tried = who === 'affiliate' ? others : sample(others, 3, OUTSIDERS.indexOf(who));

  it.each(tried)('$path', async (procedure) => {
    const input = {
      ...plainInput(procedure, foreign),
      ...(procedure.meta.access ? completing(procedure, fallback(foreign)) : {}),
    };
    const { status, text } = await call(callers[who], procedure, input);
    const isPersons = !procedure.meta.access && who !== 'nobody';
    expect(isPersons ? status < 500 : status === 401 || status === 403).toBe(true);
    expect(shown(text, input)).toEqual([]);
  });
});

/** Adds ids for the kinds of records that an affiliate does not have. */
function fallback(ids: Ids): Ids {
  return new Map([...ids, ['camp', ['camp_none']], ['ref', ids.get('ref')!]]);
}

const OTHERS = ['applicant', 'member', 'stranger', 'nobody'] as const;

describe.each(OTHERS)('the portal refuses: %s', (who) => {
  // In the ordinary run, each caller tries every second procedure.
  it.each(sample(ofAffiliates, 2, OTHERS.indexOf(who)))('$path', async (procedure) => {
    const input = plainInput(procedure, foreign);
    const { status, text } = await call(callers[who], procedure, input);
    expect(status).toBe(who === 'nobody' ? 401 : 403);
    expect(shown(text, input)).toEqual([]);
  });
});

describe('a portal opened by a link shows nothing of another affiliate, and gives no access to the program', () => {
  let opened: Record<string, string>;
  beforeAll(async () => {
    const { url } = await merchant.client.affiliates.createPortalLink.mutate({ id: own.get('aff')![0]! });
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')!;
    opened = { 'X-Portal-Token': (await merchant.client.portal.enter.mutate({ token })).token };
  });

  it.each(ofAffiliates)('$path', async (procedure) => {
    for (const input of [plainInput(procedure, own), plainInput(procedure, foreign)]) {
      const { status, text } = await call(callers.nobody, procedure, input, opened);
      expect(status).toBeLessThan(500);
      expect(status).not.toBe(401);
      expect(shown(text, input)).toEqual([]);
    }
  });

  it.each(sample(others, 3, 0))('$path', async (procedure) => {
    const input = plainInput(procedure, foreign);
    const { status, text } = await call(callers.nobody, procedure, input, opened);
    expect(status).toBe(401);
    expect(shown(text, input)).toEqual([]);
  });
});

describe('a key of an affiliate reads what the portal shows of the affiliate, and changes nothing', () => {
  let key: Record<string, string>;
  let all: Row[];
  beforeAll(async () => {
    const { body } = await callers.affiliate.mutate<{ token: string }>('portal.createKey', {}, { 'X-Account-Id': merchant.id });
    key = { 'X-Portal-Token': body.result!.data.token };
    all = await rows.of(merchant.id);
  });

  it.each(ofAffiliates)('$path', async (procedure) => {
    for (const input of [plainInput(procedure, own), plainInput(procedure, foreign)]) {
      const { status, text } = await call(callers.nobody, procedure, input, key);
      expect(procedure.type === 'mutation' ? [403] : [200, 404]).toContain(status);
      expect(shown(text, input)).toEqual([]);
    }
  });

  it.each(sample(others, 3, 1))('$path', async (procedure) => {
    const input = plainInput(procedure, foreign);
    const { status, text } = await call(callers.nobody, procedure, input, key);
    expect(status).toBe(401);
    expect(shown(text, input)).toEqual([]);
  });

  it('no row has changed', async () => {
    expect(await rows.of(merchant.id)).toEqual(all);
  });

  it('stops working when it is revoked or replaced', async () => {
    const self = ofAffiliates.find(({ path }) => path === 'portal.self')!;
    const context = { 'X-Account-Id': merchant.id };
    expect((await call(callers.nobody, self, {}, key)).status).toBe(200);
    const { body } = await callers.affiliate.mutate<{ token: string }>('portal.createKey', {}, context);
    expect((await call(callers.nobody, self, {}, key)).status).toBe(401);
    const next = { 'X-Portal-Token': body.result!.data.token };
    expect((await call(callers.nobody, self, {}, next)).status).toBe(200);
    await callers.affiliate.mutate('portal.removeKey', {}, context);
    expect((await call(callers.nobody, self, {}, next)).status).toBe(401);
  });
});

// Must come last, because some procedures change the affiliate's own records.
describe('the portal shows nothing of another affiliate', () => {
  it.each(ofAffiliates)('$path', async (procedure) => {
    const { status, text } = await call(callers.affiliate, procedure, plainInput(procedure, own));
    expect(status).toBeLessThan(500);
    expect(shown(text)).toEqual([]);
  });

  it('and changes nothing of the other affiliate', async () => {
    const ids = new Set(before.map(({ row }) => row['id']));
    expect((await rows.of(merchant.id)).filter(({ row }) => ids.has(row['id']))).toEqual(before);
  });
});
