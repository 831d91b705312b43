/**
 * Checks that the repository is ready for a release: every package has the version of the tag, and the changelog has a section for it.
 * Prints the notes of the release. Without a tag, checks the version of the root package.
 *
 *   node .ci/release.mjs [v0.2.0] [--pack <directory>]
 *
 * With `--pack`, writes the packages that are meant to be published and the notes (`notes.md`) into the directory.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { pack: { type: 'string' } } });

const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })].map((file) => ({
  file,
  manifest: JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
}));
const version = positionals[0]?.replace(/^v/, '') ?? manifests[0].manifest.version;
const others = manifests.filter(({ manifest }) => manifest.version !== version);
if (others.length > 0) fail(`Not of version ${version}: ${others.map(({ file }) => file).join(', ')}`);

const notes = notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
if (notes === null) fail(`CHANGELOG.md has no section for ${version}, or an empty one.`);

const published = manifests.filter(({ manifest }) => manifest.private !== true);
if (values.pack !== undefined) {
  const target = resolve(values.pack);
  mkdirSync(target, { recursive: true });
  for (const { file } of published)
    execFileSync('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', target], {
      cwd: join(ROOT, dirname(file)),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  writeFileSync(join(target, 'notes.md'), notes);
}
process.stdout.write(
  `Version ${version}; packages: ${published.map(({ manifest }) => manifest.name).join(', ') || 'none'}\n\n${notes}`,
);

/** Returns the changelog's section of a version without its heading, or null if there is none. */
function notesOf(changelog, wanted) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${wanted}]`));
  const text = section?.slice(section.indexOf('\n')).trim() ?? '';
  return text === '' ? null : `${text}\n`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
