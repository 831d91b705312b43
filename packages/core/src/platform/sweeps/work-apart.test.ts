import { describe, expect, it } from 'vitest';
import { workApart } from './failures.ts';

const ids = Array.from({ length: 50 }, (_, index) => `id${index}`);

/** Works on the ids, of which some fail. Returns the ids that were done and given up. */
async function outcomeOf(failing: readonly string[], error: Error = new Error('broken')) {
  const [done, givenUp]: [string[], string[]] = [[], []];
  const ended = await workApart(ids, error, {
    work: async (some) => {
      if (some.some((id) => failing.includes(id))) throw error;
      done.push(...some);
    },
    giveUp: async (id) => void givenUp.push(id),
  }).catch((err: unknown) => err);
  return { done, givenUp, ended };
}

describe('a batch that failed', () => {
  it('is done without the members that fail', async () => {
    const failing = ['id0', 'id13', 'id14', 'id49'];
    const { done, givenUp, ended } = await outcomeOf(failing);
    expect({ givenUp, ended }).toEqual({ givenUp: failing, ended: undefined });
    expect(done).toEqual(ids.filter((id) => !failing.includes(id)));
  });

  it('ends after 20 failures in a row', async () => {
    const { done, givenUp, ended } = await outcomeOf(ids);
    expect([done, givenUp, ended]).toEqual([[], ids.slice(0, 20), new Error('broken')]);
  });

  it('ends at once if the database is unreachable', async () => {
    const { givenUp, ended } = await outcomeOf(['id3'], new Error('Connection terminated unexpectedly'));
    expect([givenUp, ended]).toEqual([[], new Error('Connection terminated unexpectedly')]);
  });
});
