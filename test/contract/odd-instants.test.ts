import { expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { useService, useAccount } from '../support/suite.ts';
import { PROCEDURES, plainInput } from './procedures.ts';

/** Sends odd instants as positions of every list that is sorted by a time. Fields that take an instant are covered by `bad-values.ts`. */
const ODD = [
  '+275760-09-13T00:00:00.000Z',
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-11-27T00:00:00Z',
  'infinity',
];
const POSITIONS = ['after', 'starting_after', 'ending_before'];

// Lists of the portal are sorted by id, not by an instant, and no key can call them.
const cases = PROCEDURES.filter(({ meta }) => meta.audience !== 'affiliate').flatMap((procedure) => {
  const { properties = {} } = procedure.input;
  const sorts = (properties['sort']?.enum ?? []).filter(
    (sort): sort is string => typeof sort === 'string' && sort.endsWith('_at'),
  );
  return POSITIONS.filter((name) => name in properties).flatMap((position) =>
    sorts.map((sort) => ({ procedure, position, sort })),
  );
});

const service = useService();
const account = useAccount(service, 'file');

it('are refused as positions of lists', async () => {
  expect(cases.length).toBeGreaterThan(20);
  const accepted: string[] = [];
  for (const { procedure, position, sort } of cases) {
    const plain = plainInput(procedure, new Map());
    const column = sort.replace(/^-/, '');
    for (const instant of ODD) {
      const cursor = Buffer.from(JSON.stringify([column, instant, 'com_01k9v7m3q8e2t4r6w8y0a1b2c3'])).toString('base64url');
      const input = JSON.stringify({ ...plain, sort, [position]: cursor });
      const url = `${service.url}/trpc/${procedure.path}`;
      const { status } = await send(url, 'GET', { query: { input }, headers: account.api.headers });
      // A list of the records of another record answers 404, because there is no such record.
      const refused = status === 422 || (('affiliate_id' in plain || 'id' in plain) && status === 404);
      if (!refused) accepted.push(`${procedure.path} ${sort} ${position} ${instant}: ${status}`);
    }
  }
  expect(accepted).toEqual([]);
});
