import { expect, it } from 'vitest';
import { Failures } from './failures.ts';

it('a failure is logged, holds up nothing, and the first is thrown at the end', async () => {
  const logged: unknown[] = [];
  const log = { error: (...entry: unknown[]) => logged.push(entry) } as unknown as ConstructorParameters<
    typeof Failures
  >[0]['log'];
  const failures = new Failures({ log }, 'not done');
  const [first, second] = [new Error('first'), new Error('second')];
  const done: (number | undefined)[] = [];
  for (const outcome of [1, first, second, 2])
    done.push(
      await failures.attempt({ outcome: String(outcome) }, async () => {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      }),
    );
  expect(done).toEqual([1, undefined, undefined, 2]);
  expect(logged).toEqual([
    [{ err: first, outcome: 'Error: first' }, 'not done'],
    [{ err: second, outcome: 'Error: second' }, 'not done'],
  ]);
  expect(() => failures.throwFirst()).toThrow(first);
});

it('without a failure, nothing is thrown', () => {
  expect(() => new Failures({ log: console }, 'not done').throwFirst()).not.toThrow();
});
