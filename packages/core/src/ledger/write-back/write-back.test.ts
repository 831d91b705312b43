import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metadataChanges } from './write-back.ts';

const IDS = { affiliate: 'aff_1', campaign: 'camp_1', commission: 'com_1' };

test.each([
  ['writes all ids into empty metadata', IDS, {}, IDS],
  ['writes nothing twice', IDS, IDS, {}],
  ['writes only what differs', { ...IDS, commission: 'com_2' }, IDS, { commission: 'com_2' }],
  ['removes the ids when nobody earns', {}, { ...IDS, plan: 'pro' }, { affiliate: '', campaign: '', commission: '' }],
  ['has nothing to remove', {}, { plan: 'pro' }, {}],
  ['keeps the exclusion of a payment', IDS, { affiliate: 'false' }, { campaign: 'camp_1', commission: 'com_1' }],
  ['keeps the values of a merchant', IDS, { campaign: 'spring sale' }, { affiliate: 'aff_1', commission: 'com_1' }],
])('%s', (_title, wanted, found, changes) => {
  expect(metadataChanges(wanted, found)).toEqual(changes);
});

test('after a write nothing is left to write, and values of the merchant are never touched', () => {
  const value = (prefix: string) => fc.oneof(fc.constant(''), fc.constantFrom(`${prefix}_1`, `${prefix}_2`, 'false', 'spring'));
  const metadata = fc.record(
    { affiliate: value('aff'), campaign: value('camp'), commission: value('com') },
    { requiredKeys: [] },
  );
  const ids = fc.oneof(fc.constant({}), fc.constant(IDS));
  fc.assert(
    fc.property(ids, metadata, (wanted, found) => {
      const changes = metadataChanges(wanted, found);
      expect(metadataChanges(wanted, { ...found, ...changes })).toEqual({});
      for (const key of Object.keys(changes)) expect(['false', 'spring']).not.toContain(found[key as keyof typeof found]);
    }),
  );
});
