import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { THOROUGH } from './thorough.ts';

/** Folders of suites that start programs, browsers and packages, or load a process: they take a third of the time of all suites. */
const IN_TURN = ['test/app', 'test/clients', 'test/faults', 'test/hostile', 'test/web'];

/**
 * Returns the suites that this run leaves out: every other one of `IN_TURN`, so that two seeds of different parity run all of them. The thorough run
 * leaves out none, and no run a suite that an argument of the command names.
 *
 * @param root directory of the repository
 * @param seed seed of the run
 * @param args arguments of the command
 */
export function suitesLeftOut(root: string, seed: number, args: readonly string[]): string[] {
  if (THOROUGH) return [];
  const suites = IN_TURN.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .toSorted()
      .map((file) => `${folder}/${file}`),
  );
  return suites.filter((path, index) => (index + seed) % 2 === 0 && !args.some((arg) => path.includes(arg)));
}
