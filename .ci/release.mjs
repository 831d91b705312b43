/**
 * Checks that the repository is ready for a release: every package has the version of the tag, and the changelog has a section for it.
 * Prints the notes of the release. Without a tag, checks the version of the root package.
 *
 *   node .ci/release.mjs [v0.2.0] [--pack <directory>] [--frozen]
 *
 * With `--frozen`, also checks that the migrations are frozen for this release (test/faults/released-migrations.json).
 *
 * With `--pack`, writes into the directory: the packages that are meant to be published, among them the built service, the entry for the registry of
 * MCP servers (`server.json`), and the notes (`notes.md`). GITHUB_REPOSITORY_OWNER names the owner of the entry. Without it, the placeholder of
 * `server.json` stays.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pack: { type: 'string' }, frozen: { type: 'boolean' } },
});

const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })].map((file) => ({
  file,
  manifest: JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
}));
const version = positionals[0]?.replace(/^v/, '') ?? manifests[0].manifest.version;
const others = manifests.filter(({ manifest }) => manifest.version !== version);
if (others.length > 0) fail(`Not of version ${version}: ${others.map(({ file }) => file).join(', ')}`);

const server = JSON.parse(readFileSync(join(ROOT, 'server.json'), 'utf8'));
if ([server, ...server.packages].some((described) => described.version !== version))
  fail(`Not of version ${version}: server.json`);

const { release } = JSON.parse(readFileSync(join(ROOT, 'test/faults/released-migrations.json'), 'utf8'));
if (values.frozen && release !== version)
  fail(`The migrations are not frozen for ${version}. CONTRIBUTING.md says how to freeze them.`);

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
  packService(target);
  writeFileSync(join(target, 'notes.md'), notes);
}
const names = [...published.map(({ manifest }) => manifest.name), ...server.packages.map(({ identifier }) => identifier)];
process.stdout.write(`Version ${version}; packages: ${names.join(', ')}; MCP server: ${ownName()}\n\n${notes}`);

/** Returns the name of the entry in the registry of MCP servers. Its namespace must be the owner of the repository. */
function ownName() {
  const owner = process.env.GITHUB_REPOSITORY_OWNER;
  return owner ? `io.github.${owner}/${server.name.split('/')[1]}` : server.name;
}

/** Packs the built service, and writes the entry that names it. The registry compares the name of the entry with `mcpName` of the package. */
function packService(target) {
  const directory = mkdtempSync(join(tmpdir(), 'affiliate-release-'));
  const built = join(directory, 'affiliate');
  try {
    execFileSync('npx', ['-y', 'pnpm@12', 'build', built], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    const file = join(built, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, mcpName: ownName() }, null, 2));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: built,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
  writeFileSync(join(target, 'server.json'), `${JSON.stringify({ ...server, name: ownName() }, null, 2)}\n`);
}

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
