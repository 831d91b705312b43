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
/** Exports of other packages whose modules are bundled into the pages. */
const BUNDLED_EXPORTS = ['@affiliate/core/browser', '@affiliate/client'];
const BUILT = join(PACKAGE, 'dist');
/** File next to the built pages that holds a hash of the sources from which they were built. */
const STAMP = '.sources';

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipCompress);
const COMPRESSED = /\.(js|css|svg)$/;
/** The highest quality: 7% fewer bytes than 9, for a second more of each build. */
const BROTLI_QUALITY = constants.BROTLI_MAX_QUALITY;

/**
 * Returns the directory of the built pages. Builds them if they are missing or their sources have changed. If the sources are not
 * installed, the existing pages are used.
 *
 * @throws Error with the output of the build if the build fails
 */
export async function builtPages(): Promise<string> {
  const stamp = stampOfSources();
  if (stamp !== null && (await readStamp()) !== stamp) await build(stamp);
  return BUILT;
}

function stampOfSources(): string | null {
  const hash = createHash('sha256');
  try {
    for (const file of [...SOURCES.flatMap(filesBelow), ...bundledFiles()])
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

/** Lists the modules of other packages that the pages load. Type-only imports are not followed, because they load nothing. */
function bundledFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const files = new Set(BUNDLED_EXPORTS.map((name) => resolve(name)));
  // Iterating over a Set includes elements that are added during the iteration.
  for (const file of files) {
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm);
    for (const [, path] of imports) files.add(join(dirname(file), path!));
  }
  return [...files].map((file) => relative(PACKAGE, file)).toSorted();
}

async function readStamp(): Promise<string | null> {
  return readFile(join(BUILT, STAMP), 'utf8').catch(() => null);
}

/**
 * Builds into a directory named after this process and then puts it in place of the old build, because several processes may build at once.
 */
async function build(stamp: string): Promise<void> {
  const fresh = `${BUILT}-${process.pid}`;
  await mkdir(fresh, { recursive: true });
  try {
    await runVite(fresh);
    await compressFiles(fresh);
    await writeFile(join(fresh, STAMP), stamp);
    await rm(BUILT, { recursive: true, force: true });
    await rename(fresh, BUILT).catch(async (error: unknown) => {
      // Not an error if another process has just put the same build in place.
      if ((await readStamp()) !== stamp) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Writes a Brotli and a gzip copy next to each text file. The server sends them to browsers that accept the encoding. */
async function compressFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.test(entry.name));
  // All at once, so that the compression uses all processors.
  await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      await Promise.all([
        brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }).then((copy) =>
          writeFile(`${path}.br`, copy),
        ),
        gzip(content, { level: constants.Z_BEST_COMPRESSION }).then((copy) => writeFile(`${path}.gz`, copy)),
      ]);
    }),
  );
}

function runVite(outDir: string): Promise<void> {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: PACKAGE,
    // An inherited NODE_ENV, e.g. that of a test runner, would produce the slow development build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`The pages could not be built:\n${output}`))));
  });
}
