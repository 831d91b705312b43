import { expect, it } from 'vitest';
import { newId } from '../wire/ids.ts';
import { subjectIds } from './audit-entry.ts';

const AT = new Date('2026-11-27T12:00:00Z');
const affiliate = newId('affiliate', AT);
const [first, second] = [newId('payout', AT), newId('payout', AT)];

it.each<[name: string, given: unknown, returned: unknown, ids: string[]]>([
  ['a single id', { id: affiliate, state: 'disabled' }, undefined, [affiliate]],
  ['ids of several records', { payout_ids: [first, second], affiliate_id: affiliate }, undefined, [first, second, affiliate]],
  ['ids in the items of a bulk write', { items: [{ id: first }, { id: second }] }, {}, [first, second]],
  ['the id of a created record, once', { id: first, email: 'ada@example.com' }, { id: first }, [first]],
  ['the records that a bulk call created', {}, { data: [{ record: { id: first } }, { record: null }] }, [first]],
  ['the affiliate of a changed record', { id: first }, { id: first, affiliate_id: affiliate }, [first, affiliate]],
  ['the created record first', { affiliate_id: affiliate }, { id: first }, [first, affiliate]],
])('the records of an entry are found by %s', (_, given, returned, ids) => {
  expect(subjectIds(given, returned)).toEqual(ids);
});

it.each<[name: string, given: unknown]>([
  ['ids of other systems', { external_id: 'order-7', psp_customer_id: 'cus_1', id: 'aff_unknown' }],
  ['other fields with an id as their value', { note: affiliate }],
  ['no arguments', null],
])('no record is found in %s', (_, given) => {
  expect(subjectIds(given)).toEqual([]);
});

it('the number of records of an entry is bounded', () => {
  expect(subjectIds({ ids: Array.from({ length: 1_100 }, () => newId('affiliate', AT)) })).toHaveLength(1_000);
});
