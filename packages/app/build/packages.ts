/** Builds the packages that the service serves under `/sdk` (packages/rest/src/packages.ts), each of the version of the service. */
import { createHash } from 'node:crypto';
import { createWriteStream, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { crc32, createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { buildClient } from '../../generator/src/build-client.ts';
import { buildSdk } from '../../generator/src/build-sdk.ts';
import manifest from '../package.json' with { type: 'json' };

const PYTHON = fileURLToPath(new URL('../../sdk-python', import.meta.url));
const EPOCH = new Date(0);

/**
 * Writes the packages into a directory: the SDK for TypeScript, the typed client and the command line for npm, and the SDK for Python as a wheel.
 *
 * @param commandLine directory with the built command line and its `package.json`
 */
export async function buildPackages(directory: string, commandLine: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const built = { 'affiliate-sdk': buildSdk(), 'affiliate-client': buildClient(), 'affiliate-cli': commandLine };
  for (const [name, from] of Object.entries(built)) await packNpm(from, join(directory, `${name}-${manifest.version}.tgz`));
  const wheel = wheelOf(PYTHON);
  writeFileSync(join(directory, wheel.name), zip(wheel.files));
}

/** Packs a directory as npm does. */
async function packNpm(from: string, target: string): Promise<void> {
  const tar = pack();
  for (const path of filesIn(from)) {
    const file = join(from, path);
    const mode = statSync(file).mode & 0o111 ? 0o755 : 0o644;
    tar.entry({ name: `package/${path}`, mtime: EPOCH, mode }, readFileSync(file));
  }
  tar.finalize();
  await pipeline(tar, createGzip({ level: 9 }), createWriteStream(target));
}

function filesIn(directory: string): string[] {
  return globSync('**/*', { cwd: directory })
    .filter((path) => statSync(join(directory, path)).isFile())
    .toSorted();
}

/** Returns the name and the files of the wheel of a Python package without compiled parts (packaging.python.org, Binary distribution format). */
function wheelOf(directory: string): { name: string; files: Map<string, Buffer> } {
  const project = readFileSync(join(directory, 'pyproject.toml'), 'utf8');
  const valueOf = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)![1]!;
  const [name, version] = [valueOf('name'), valueOf('version')];
  const stem = `${name.replaceAll('-', '_')}-${version}`;
  const info = `${stem}.dist-info`;
  const read = (path: string) => readFileSync(join(directory, path));
  const modules = globSync('affiliate_sdk/*.{py,typed}', { cwd: directory }).toSorted();
  const files = new Map<string, Buffer>(modules.map((path) => [path, read(path)]));
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${valueOf('description')}`,
    `License-Expression: ${valueOf('license')}`,
    'License-File: LICENSE',
    `Requires-Python: ${valueOf('requires-python')}`,
    'Description-Content-Type: text/markdown',
  ];
  files.set(`${info}/METADATA`, Buffer.from(`${metadata.join('\n')}\n\n${read('README.md').toString()}`));
  files.set(`${info}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: affiliate\nRoot-Is-Purelib: true\nTag: py3-none-any\n'));
  files.set(`${info}/licenses/LICENSE`, read('LICENSE'));
  const hashed = [...files].map(
    ([path, content]) => `${path},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`,
  );
  files.set(`${info}/RECORD`, Buffer.from(`${hashed.join('')}${info}/RECORD,,\n`));
  return { name: `${stem}-py3-none-any.whl`, files };
}

/** Returns a ZIP archive of files that are not compressed. All dates are the first that the format knows, so that the same files give the same bytes. */
function zip(files: ReadonlyMap<string, Buffer>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    // Version 2.0, names in UTF-8, stored, 1980-01-01.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x08_00, 2);
    common.writeUInt16LE(0x00_21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, name, content];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100_644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix, so that the permissions count.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, name);
    for (const part of local) {
      bodies.push(part);
      offset += part.length;
    }
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
