import { PROCEDURES } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inMode } from '../modes/accounts.ts';
import { usePspService } from '../psp/service.ts';
import { CONTRACTS } from '../support/contract.ts';
import type { TestAccount } from '../support/service.ts';
import { type InputSchema, PROCEDURES as CALLABLE } from './procedures.ts';
import { seed } from './seed.ts';

/** The schemas with an id that do not show a mode, and the reason of each. */
const WITHOUT_MODE: Readonly<Record<string, string>> = {
  AcceptedFact: 'The answer to a fact, which states its mode.',
  ApiRequest: 'An entry of a log. The account and the key of the request have the mode.',
  AuditEntry: 'An entry of a log. The account of the call has the mode.',
  DescribedAuditEntry: 'An entry of a log, like `AuditEntry`.',
  Erased: 'Reports a deletion. The record is gone.',
  EventActor: 'A part of an event, which has the mode of its record.',
  FactDispute: 'A part of a fact, which states its mode.',
  FactRefund: 'A part of a fact, which states its mode.',
  FactSubscription: 'A part of a fact, which states its mode.',
  NamedRecord: 'The name of a record, beside its id in other records.',
  PersonalData: 'A file about a person. Each record in it has its mode.',
  PreconditionDetails: 'The id of a record in a refusal.',
  RevokedApiKey: 'Reports a revocation. `ApiKey` has the mode.',
  StartedTestPurchase: 'A purchase in the test mode of the payment provider, always.',
};
/** Events have the mode of the record in their `data`. */
const isEvent = (name: string) => name.endsWith('Event');

interface Named {
  properties?: Record<string, unknown>;
  required?: string[];
}

/** Returns the named schemas of the outputs of all procedures about an account, and of the contracts. */
function namedSchemas(): Map<string, Named> {
  const named = new Map<string, Named>();
  for (const { meta, output } of PROCEDURES) {
    if (!meta.access) continue;
    const { $defs = {}, ...root } = z.toJSONSchema(output, { unrepresentable: 'any' }) as Named & {
      id?: string;
      $defs?: Record<string, Named>;
    };
    for (const [name, schema] of [[root.id, root] as const, ...Object.entries($defs)]) if (name) named.set(name, schema);
  }
  for (const { components } of Object.values(CONTRACTS))
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) named.set(name, schema as Named);
  return named;
}

describe('livemode', () => {
  const records = [...namedSchemas()].filter(([, { properties = {} }]) => 'id' in properties);

  it('is a required field of every record of an account', () => {
    const lacking = records.filter(([name, { required = [] }]) => !required.includes('livemode') && !isEvent(name));
    expect(lacking.map(([name]) => name).toSorted()).toEqual(Object.keys(WITHOUT_MODE).toSorted());
    expect(records.length).toBeGreaterThan(40);
  });

  it('is a field of the data of every event', () => {
    const schemas = namedSchemas();
    const dataOf = ([name, { properties }]: [string, Named]) => {
      const { $ref = '' } = properties!['data'] as { $ref?: string };
      return [name, schemas.get($ref.split('/').at(-1)!)?.properties?.['livemode'] !== undefined];
    };
    const events = records.filter(([name]) => isEvent(name)).map(dataOf);
    expect(events.filter(([, hasMode]) => !hasMode)).toEqual([]);
    expect(events.length).toBeGreaterThan(20);
  });
});

describe('a record in a list', () => {
  const service = usePspService();

  /** The lists, except that of keys: a key without a mode made the other keys. */
  const LISTS = CALLABLE.filter(({ path, type, meta, input }) => {
    if (path === 'apiKeys.list' || type !== 'query' || !meta.access || (input.required ?? []).length > 0) return false;
    const { output } = PROCEDURES.find((each) => each.path === path)!;
    const { properties = {} } = z.toJSONSchema(output, { unrepresentable: 'any' }) as InputSchema;
    return properties['data'] !== undefined && properties['pagination'] !== undefined;
  }).map(({ path }) => path);

  it('shows true in live mode and false in test mode, in every list that shows modes', async () => {
    const account = await service.createAccount();
    const [live, test] = [await inMode(service, account, true), await inMode(service, account, false)];
    await seed(service, live, 'live');
    await seed(service, test);
    const modes = async ({ client }: TestAccount) => {
      const found: [string, unknown[]][] = [];
      for (const path of LISTS) {
        const [group, name] = path.split('.') as ['payouts', 'list'];
        const { data } = (await client[group][name].query({})) as { data: { livemode?: boolean }[] };
        found.push([path, [...new Set(data.map(({ livemode }) => livemode))]]);
      }
      return found.filter(([, shown]) => shown.length > 0 && shown[0] !== undefined);
    };
    const [ofLive, ofTest] = [await modes(live), await modes(test)];
    expect(ofLive.filter(([, shown]) => String(shown) !== 'true')).toEqual([]);
    expect(ofTest.filter(([, shown]) => String(shown) !== 'false')).toEqual([]);
    expect(ofTest.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'rewardRules.list',
        'tiers.list',
        'assets.list',
        'invitations.list',
        'connectors.list',
        'sales.list',
      ]),
    );
  });
});
