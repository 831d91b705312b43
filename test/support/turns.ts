import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { THOROUGH } from './thorough.ts';

/** Suites that start programs, browsers and packages, load a process, or take very long. They take more than half of the time of all suites. */
const IN_TURN = {
  folders: ['test/app', 'test/clients', 'test/deploy', 'test/faults', 'test/hostile', 'test/imports', 'test/web'],
  files: [
    'test/mail/fair-mail.test.ts',
    'test/mcp/conformance.test.ts',
    'test/payouts/large-exports.test.ts',
    'test/readme/first-change.test.ts',
    'test/rest/program-resources.test.ts',
    'test/rest/sale-cost.test.ts',
    'test/rest/uploads.test.ts',
    'test/webhooks/processes.test.ts',
    'test/payouts/rails/stories.test.ts',
    'test/psp/payment-of-two-sales.test.ts',
    'test/psp/stripe-as-used.test.ts',
    'test/psp/write-back.test.ts',
  ],
};

/**
 * Returns the suites that this run leaves out: two of three of `IN_TURN`, so that three seeds in a row run all of them. The thorough run leaves out none,
 * and no run a suite that an argument of the command names.
 *
 * @param root directory of the repository
 * @param seed seed of the run
 * @param args arguments of the command
 */
export function suitesLeftOut(root: string, seed: number, args: readonly string[]): string[] {
  if (THOROUGH) return [];
  const inFolders = IN_TURN.folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .toSorted()
      .map((file) => `${folder}/${file}`),
  );
  return [...inFolders, ...IN_TURN.files].filter(
    (path, index) => (index + seed) % 3 !== 0 && !args.some((arg) => path.includes(arg)),
  );
}
