import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PspTestService, usePspService } from '../psp/service.ts';
import type { Fields, Reply } from '../support/http.ts';
import type { TestAccount } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';
import {
  type Ids,
  type Procedure,
  PROCEDURES,
  callRest,
  callTrpc,
  completing,
  idPrefix,
  plainInput,
  valueFor,
} from './procedures.ts';
import { AccountRows, type Row, idsIn } from './seed.ts';

/** Procedures about a person rather than an account. Their permissions are tested in test/people. */
const OF_PERSONS = [
  'account.create',
  'account.delete',
  'account.get',
  'account.leave',
  'account.removeExample',
  'account.requireSecondFactor',
  'account.restore',
  'account.unsentMails',
  'account.update',
  'installation.get',
  'invitations.join',
  'invitations.preview',
  'me.get',
  'portal.start',
  'portal.sums',
  'profile.chooseMails',
  'profile.connectors',
  'profile.endSession',
  'profile.get',
  'profile.mails',
  'profile.sessions',
  'profile.update',
  'session.get',
  'session.switchAccount',
  'setup.startOwnProgram',
];
/** Procedures for affiliates. test/portal/leaks.test.ts calls them with ids of other affiliates. */
const OF_AFFILIATES = /^portal\./;
/** Procedures that anyone may call. They act on the account of a link or a referral. */
const OF_ANYONE = [
  'join.checkCode',
  'join.confirm',
  'join.page',
  'join.submit',
  'portal.answerEmailChange',
  'portal.chooseEmails',
  'portal.enter',
  'portal.enterCode',
  'portal.front',
  'portal.getEmailChoice',
  'portal.requestLink',
  'setup.complete',
  'setup.isNeeded',
  'setup.open',
  'setup.sendTestMail',
  'tracking.followLink',
  'tracking.followProgramLink',
  'tracking.recordLead',
  'tracking.recordVisit',
];
const ofAccounts = PROCEDURES.filter(({ meta }) => meta.access);

/** Lists the fields of an input that take an id or several ids, with the ids' prefix. */
function idFields({ input }: Procedure): [name: string, prefix: string][] {
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]): [string, string][] => {
    const prefix = idPrefix(schema);
    return prefix === null ? [] : [[name, prefix]];
  });
}

/** Two accounts that hold the same data. */
export interface TwoAccounts {
  caller: TestAccount;
  stranger: TestAccount;
}

/**
 * Declares tests in which one account calls every procedure with the ids of the other, in every field that takes an id, over REST and tRPC.
 * No response may show data of the other account, and no call may change that data.
 *
 * @param accounts creates two accounts that hold the same data
 * @param without prefixes of ids of which one of the accounts has none, because the ids are those of the people of both
 */
export function walkBetween(accounts: (service: PspTestService) => Promise<TwoAccounts>, without: readonly string[] = []): void {
  const service = usePspService();
  let caller: TestAccount;
  let own: Ids;
  let foreign: Ids;
  let stranger: TestAccount;
  let rows: AccountRows;
  let before: Row[];

  /** The rows of the other account. Those of a live account include the row of its test account, which may be the caller. */
  const ofStranger = async () =>
    (await rows.of(stranger.id)).filter(({ table, row }) => table !== 'account' || row['id'] === stranger.id);

  beforeAll(async () => {
    ({ caller, stranger } = await accounts(service));
    rows = await AccountRows.open(service);
    // Calls use the id of the caller's first key in their input, and may revoke that key. Therefore the key that the test itself uses comes last.
    const ids = idsIn(await rows.of(caller.id));
    own = ids.set('key', ids.get('key')!.toReversed());
    before = await ofStranger();
    foreign = idsIn(before);
  });
  afterAll(() => rows.close());

  /** An input with the caller's own ids, except in the field `name`, which has an id of the other account. */
  function trespassing(procedure: Procedure, name: string): Fields {
    return {
      ...plainInput(procedure, own),
      ...completing(procedure, own),
      [name]: valueFor(procedure.input.properties![name]!, foreign),
    };
  }

  /** Inputs of all calls so far. The audit log may return them to the caller. */
  const sent: Fields[] = [];

  /**
   * Calls a procedure over tRPC and REST. The ordinary run uses either tRPC or REST, chosen by a hash of path and field, so that adding a procedure
   * does not change the choice for other procedures.
   */
  async function callAtDoors(procedure: Procedure, input: Fields, field = ''): Promise<Reply[]> {
    sent.push(input);
    const isOverRest = createHash('sha256').update(`${procedure.path} ${field}`).digest()[0]! % 2 === 0;
    if (!procedure.meta.openapi) return [await callTrpc(caller.api, procedure, input)];
    const overTrpc = THOROUGH || !isOverRest ? [await callTrpc(caller.api, procedure, input)] : [];
    const overRest = THOROUGH || isOverRest ? [await callRest(caller.api, procedure, input)!] : [];
    return [...overTrpc, ...overRest];
  }

  /**
   * Returns 'nothing there' for the responses to an id that does not exist: 404 in a path, a 422 that names the field in a body, an empty list in a
   * filter, which is a single line as CSV. The audit log has the refused calls of the caller. Returns any other response as text.
   */
  function outcome({ status, headers, body, text }: Reply, field: string): string {
    const { data, details } = body as { data?: unknown[]; details?: { path: string }[] };
    const nothing =
      status === 404 ||
      (status === 422 && details?.every(({ path }) => path.includes(field))) ||
      (status === 200 && data?.every(isOwnCall)) ||
      (status === 200 && headers.get('content-type')?.startsWith('text/csv') && text.split('\r\n').length === 2);
    return nothing ? 'nothing there' : `${status} ${text}`;
  }

  /** True for an entry of the audit log about a call of this test. The log lists a refused call under every id that the call named. */
  function isOwnCall(entry: unknown): boolean {
    const { tool, caller_id } = Object(entry) as Fields;
    return typeof tool === 'string' && own.get('key')!.includes(String(caller_id));
  }

  /** Finds ids of the other account in a response, except those that the caller sent. */
  function shown(reply: Reply, input: Fields | Fields[]): string[] {
    const said = JSON.stringify(input);
    const hidden = [...foreign].flatMap(([prefix, ids]) => (without.includes(prefix) ? [] : ids));
    return hidden.filter((id) => id !== caller.id && reply.text.includes(id) && !said.includes(id));
  }

  it('covers every procedure', () => {
    expect(
      PROCEDURES.filter(({ path, meta }) => !meta.access && !(meta.audience === 'affiliate' && OF_AFFILIATES.test(path)))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([...OF_PERSONS, ...OF_ANYONE].toSorted());
    expect(ofAccounts.length).toBeGreaterThan(60);
  });

  it('the other account has a record for every kind of id that a procedure accepts', () => {
    const kinds = new Set(ofAccounts.flatMap((procedure) => idFields(procedure).map(([, prefix]) => prefix)));
    expect([...kinds].filter((prefix) => !foreign.has(prefix) || !own.has(prefix))).toEqual(without);
  });

  const trespasses = ofAccounts.flatMap((procedure) => idFields(procedure).map(([name]) => ({ procedure, name })));

  describe('a call with an id of another account finds nothing', () => {
    it.each(trespasses)('$procedure.path $name', async ({ procedure, name }) => {
      const input = trespassing(procedure, name);
      for (const reply of await callAtDoors(procedure, input, name)) {
        expect(outcome(reply, name)).toBe('nothing there');
        expect(shown(reply, input)).toEqual([]);
      }
    });

    it('and changes nothing in the other account', async () => {
      expect(await ofStranger()).toEqual(before);
    });
  });

  describe('a visitor with a referral of another account in the browser is treated as a new visitor', () => {
    const openProcedure = (path: string) => PROCEDURES.find((procedure) => procedure.path === path)!;

    it.each([
      ['tracking.followLink', (referral: string) => ({ known_referrals: { [caller.id]: referral, [stranger.id]: referral } })],
      ['tracking.recordVisit', (referral: string) => ({ referral_id: referral })],
    ])('%s', async (path, remembering) => {
      const { data: links } = await caller.client.links.list.query({});
      const [referral] = foreign.get('ref')!;
      const input = { account_id: caller.id, token: links[0]!.token, ...remembering(referral!) };
      const reply = await callTrpc(caller.api, openProcedure(path), input);
      expect(reply.status).toBe(200);
      expect(reply.text).toMatch(/ref_\w{26}/);
      expect(reply.text).not.toContain(referral!);
      expect(await ofStranger()).toEqual(before);
    });

    it('tracking.followLink over REST', async () => {
      const { data: links } = await caller.client.links.list.query({});
      const [referral] = foreign.get('ref')!;
      const cookies = [caller.id, stranger.id].map((id) => `affiliate_referral_${id}=${referral}`);
      const reply = await caller.api.send('GET', `/t/${links[0]!.token}`, {
        query: { account_id: caller.id },
        headers: { Cookie: cookies.join('; ') },
      });
      expect(reply.headers.get('location')).toMatch(/referral=ref_\w{26}/);
      expect(reply.headers.get('location')).not.toContain(referral!);
      expect(await ofStranger()).toEqual(before);
    });
  });

  // Runs after the other tests, because these calls change the caller's own records.
  describe('a call with ids of the caller’s account neither shows nor changes anything of another account', () => {
    it.each(ofAccounts)('$path', async (procedure) => {
      const plain = { ...plainInput(procedure, own), ...completing(procedure, own) };
      const { expand } = procedure.input.properties ?? {};
      const input = expand ? { ...plain, expand: expand.items!.enum } : plain;
      for (const reply of await callAtDoors(procedure, input)) {
        expect(reply.status).toBeLessThan(500);
        expect(shown(reply, /^(auditLog|apiRequests)\./.test(procedure.path) ? sent : {})).toEqual([]);
      }
    });

    it('and all calls together change nothing in the other account', async () => {
      expect(await ofStranger()).toEqual(before);
    });
  });
}
