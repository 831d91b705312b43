import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';

const BENCH = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));
const ROWS = ['read', 'list', 'list-expanded', 'create', 'sale', 'click', 'eligible'];

/** The bench of requests ends if the limit server answers otherwise than the service, so a new field of a record must be added there, too. */
it.runIf(THOROUGH && process.platform === 'linux')(
  'the limit server of the bench answers as the service does',
  { timeout: 120_000 },
  async () => {
    const size = ['--rounds', '1', '--requests', '5', '--connections', '1', '--commissions', '500'];
    const options = [...size, '--at-once', '--only', ROWS.join(',')];
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, 'requests', ...options]);
    expect(stdout.split('\n').filter((line) => /^\| .* \| \d/.test(line))).toHaveLength(ROWS.length);
  },
);
