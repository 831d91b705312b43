import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';

const PACKAGE = join(import.meta.dirname, '..');
const SOURCES = ['index.html', 'package.json', 'vite.config.ts', 'src', 'public', 'build'];
/** Exports of the core that are part of the pages. */
const CORE_EXPORTS = ['@affiliate/core/browser', '@affiliate/core/client'];
const BUILT = join(PACKAGE, 'dist');
/** Beside the pages: what they were built from. */
const STAMP = '.sources';

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipCompress);
const COMPRESSED = /\.(js|css|svg)$/;
/** 11 would make files smaller by a twentieth, and take ten times as long. */
const BROTLI_QUALITY = 9;

/**
 * Returns the directory of the built pages. Builds them if they are missing or their sources have changed. An installation without the
 * sources uses the pages that it has.
 *
 * @throws Error with the build's output, when it fails
 */
export async function builtPages(): Promise<string> {
  const stamp = stampOfSources();
  if (stamp !== null && (await readStamp()) !== stamp) await build(stamp);
  return BUILT;
}

function stampOfSources(): string | null {
  const hash = createHash('sha256');
  try {
    for (const file of [...SOURCES.flatMap(filesBelow), ...coreFiles()])
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(PACKAGE, file)));
  } catch {
    return null;
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (path.includes('.')) return [path];
  return readdirSync(join(PACKAGE, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(PACKAGE.length + 1))
    .toSorted();
}

/** Modules of the core that the pages load; imports of types load nothing. */
function coreFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const files = new Set(CORE_EXPORTS.map((name) => resolve(name)));
  // A Set yields what is added to it while it is walked.
  for (const file of files) {
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm);
    for (const [, path] of imports) files.add(join(dirname(file), path!));
  }
  return [...files].map((file) => relative(PACKAGE, file)).toSorted();
}

async function readStamp(): Promise<string | null> {
  return readFile(join(BUILT, STAMP), 'utf8').catch(() => null);
}

/** Into a directory of its own that then takes the place of the former one, as several processes may build at once. */
async function build(stamp: string): Promise<void> {
  const fresh = `${BUILT}-${process.pid}`;
  await mkdir(fresh, { recursive: true });
  try {
    await runVite(fresh);
    await compressFiles(fresh);
    await writeFile(join(fresh, STAMP), stamp);
    await rm(BUILT, { recursive: true, force: true });
    await rename(fresh, BUILT).catch(async (error: unknown) => {
      // Another process was first with the same pages.
      if ((await readStamp()) !== stamp) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Beside each text a copy in Brotli and one in gzip, which the server sends to browsers that take them. */
async function compressFiles(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    await writeFile(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }));
    await writeFile(`${path}.gz`, await gzip(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function runVite(outDir: string): Promise<void> {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: PACKAGE,
    // A test runner's or a developer's NODE_ENV would yield the slow development build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`The pages could not be built:\n${output}`))));
  });
}
