import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { ROOT, blocksOf } from './manuals.ts';

const run = promisify(execFile);
const PAGE = 'docs/first-change.md';
/** Folders that a copy of the repository does without. It keeps the built pages (`dist`), because the change leaves their sources alone. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', '.contract']);

const [addedTest, ...changes] = blocksOf(PAGE).filter(({ language }) => language === 'diff');
const copy = mkdtempSync(join(tmpdir(), 'affiliate-first-change-'));

beforeAll(async () => {
  copyRepository();
  await apply(addedTest!.code);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function copyRepository(): void {
  cpSync(ROOT, copy, { recursive: true, filter: (source) => source === ROOT || !LEFT_OUT.has(basename(source)) });
  linkModules('.');
  for (const name of readdirSync(join(ROOT, 'packages'))) linkModules(join('packages', name));
}

/** Links the installed packages of a folder. Packages of the repository lead to the copy. */
function linkModules(folder: string): void {
  const modules = join(ROOT, folder, 'node_modules');
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules)) {
    const names = entry.startsWith('@') ? readdirSync(join(modules, entry)).map((name) => join(entry, name)) : [entry];
    for (const name of names) {
      const link = join(copy, folder, 'node_modules', name);
      mkdirSync(join(link, '..'), { recursive: true });
      const target = realpathSync(join(modules, name));
      const inside = relative(ROOT, target);
      const isOurs = lstatSync(join(modules, name)).isSymbolicLink() && inside.startsWith('packages');
      symlinkSync(isOurs ? join(copy, inside) : target, link);
    }
  }
}

async function apply(patch: string): Promise<void> {
  const file = join(copy, 'change.patch');
  writeFileSync(file, patch);
  await run('git', ['apply', '--unidiff-zero', file], { cwd: copy });
}

/** Runs a program of the copy. Resolves to its exit code and output. */
async function runInCopy(program: string, args: string[]): Promise<{ code: number; output: string }> {
  const PATH = [join(copy, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  try {
    const { stdout, stderr } = await run(join(ROOT, 'node_modules/.bin', program), args, {
      cwd: copy,
      // The server of this run, because starting another one takes longer than the test.
      env: { ...process.env, PATH, TEST_DATABASE_URL: inject('postgres').url },
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

describe(`${PAGE}, on a copy of the repository`, { timeout: 120_000 }, () => {
  const test = ['run', /b\/(test\/\S+)/.exec(addedTest!.code)![1]!];

  it.runIf(THOROUGH)('begins with a test that fails', async () => {
    expect(await runInCopy('vitest', test)).toMatchObject({ code: 1, output: expect.stringContaining('422') });
  });

  it('leads to a change that passes the test', async () => {
    expect(changes.length).toBeGreaterThan(3);
    for (const { code } of changes) await apply(code);
    expect(await runInCopy('vitest', test)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
  });

  it.runIf(THOROUGH)('leads to a change that passes the type check', async () => {
    expect(await runInCopy('tsc', ['--noEmit', '--checkers', '1'])).toMatchObject({ code: 0 });
  });
});
