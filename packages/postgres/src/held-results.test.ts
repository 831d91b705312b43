import { expect, it } from 'vitest';
import { HeldResults } from './held-results.ts';

const MIB = 1024 * 1024;

it('counts the results of all requests of a party until they are over', () => {
  const [first, second] = [new HeldResults(), new HeldResults()];
  first.add('shop', 20 * MIB);
  expect(() => second.add('shop', 20 * MIB)).toThrow('Too many callers of this party wait.');
  second.add('other', 20 * MIB);
  first.end();
  second.end();
  const third = new HeldResults();
  third.add('shop', 30 * MIB);
  third.end();
});

it('does not count what the work of a request reads after the client has gone', () => {
  const gone = new HeldResults();
  gone.add('shop', MIB);
  gone.end();
  for (let part = 0; part < 100; part += 1) gone.add('shop', MIB);
  const next = new HeldResults();
  expect(() => next.add('shop', 30 * MIB)).not.toThrow();
  next.end();
});
