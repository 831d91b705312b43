import { expect, test } from 'vitest';
import { answersOf } from './early-calls.ts';

const CALLS = [['session.get'], ['overview.get', {}], ['campaigns.list', { page: 1 }]] as const;
const refused = {};
const sessionOf = (active_account_id: string | null) => ({ result: { data: { active_account_id } } });

test.each([
  ['of the session’s active account', 'acct_a', 'acct_a', ['session.get', 'overview.get']],
  ['of an account that another tab has switched away from', 'acct_b', 'acct_a', ['session.get']],
  ['without an account', 'acct_a', null, ['session.get']],
])('keeps only the early answers that the page may show: %s', (_, active, accountId, kept) => {
  const reply = [sessionOf(active), { result: { data: { due: 1 } } }, refused];
  expect(answersOf(CALLS, reply, accountId).map(({ name }) => name)).toEqual(kept);
});

test('keeps no early answers without a session', () => {
  expect(answersOf(CALLS, [refused, { result: { data: { due: 1 } } }, refused], 'acct_a')).toEqual([]);
});
