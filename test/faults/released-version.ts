import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The latest release: its commit, and the SHA-256 of the SQL of each migration. Never edit an entry, because databases may have run that SQL. At each
 * release, set the commit and add the migrations that are new.
 */
export const RELEASED = JSON.parse(readFileSync(join(import.meta.dirname, 'released-migrations.json'), 'utf8')) as {
  release: string;
  commit: string;
  migrations: Record<string, string>;
};

/** Returns false in a checkout without the release's commit, e.g. a shallow one. */
export function hasReleasedVersion(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${RELEASED.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies the sources of the release from the repository into a directory, and links them to the current versions of the libraries. The libraries have
 * had no breaking change since the release. Returns the path of the release's command line.
 */
export function unpackReleasedVersion(directory: string): string {
  const archive = execFileSync('git', ['archive', RELEASED.commit, 'packages', 'package.json'], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  // Puts one empty page in place of the release's pages, because no test opens them and building them takes longer than everything else.
  const pages = join(directory, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Pages of the release</title>');
  writeFileSync(
    join(directory, 'packages/web/build/built-pages.ts'),
    `export const builtPages = async () => ${JSON.stringify(pages)};\n`,
  );
  const modules = join(directory, 'node_modules');
  for (const name of readdirSync(join(ROOT, 'packages'))) linkEntries(join(ROOT, 'packages', name, 'node_modules'), modules);
  linkEntries(join(ROOT, 'node_modules'), modules);
  linkEntries(join(ROOT, 'node_modules/.pnpm/node_modules'), modules);
  mkdirSync(join(modules, '@affiliate'), { recursive: true });
  for (const name of readdirSync(join(directory, 'packages'))) {
    symlinkSync(join(directory, 'packages', name), join(modules, '@affiliate', name));
  }
  return join(directory, 'packages/app/src/cli.js');
}

/** Links to the packages in a `node_modules` folder, except this repository's own packages and those that are linked already. */
function linkEntries(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '@affiliate' || name.startsWith('.')) continue;
    if (name.startsWith('@')) linkEntries(join(from, name), join(to, name));
    else if (!existsSync(join(to, name))) symlinkSync(realpathSync(join(from, name)), join(to, name));
  }
}
