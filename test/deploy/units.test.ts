import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEPLOY, has } from './programs.ts';

it.skipIf(!has('systemd-analyze'))('the units of systemd have an exposure of at most 2', async () => {
  const units = globSync('systemd/*.service', { cwd: DEPLOY });
  expect(units).toHaveLength(3);
  for (const unit of units) {
    const options = ['security', '--offline=true', '--no-pager', '--threshold=20', unit];
    const { stdout } = await promisify(execFile)('systemd-analyze', options, { cwd: DEPLOY });
    expect(stdout).toMatch(/Overall exposure level for \S+: [01]\.\d/);
  }
});
