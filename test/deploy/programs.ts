import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const DEPLOY = resolve(import.meta.dirname, '../../deploy');

/** True if the program is installed. Otherwise says that the tests that need it are skipped. `.ci/run` repeats the line at its end. */
export function has(program: string): boolean {
  const exists = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  if (!exists) process.stderr.write(`\nSKIPPED: ${program} is not installed, so a test of the files in deploy/ did not run.\n`);
  return exists;
}
