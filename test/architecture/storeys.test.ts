import { globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, STOREYS, folderCycles, upwardImports } from './storeys.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = `${ROOT}/packages/core/src`;
const rooms = STOREYS.map(({ room }) => room);
const imports = readImports();

/** Reads all relative imports of the core, including those of types and of tests. */
function readImports(): Import[] {
  return globSync('**/*.ts', { cwd: SRC }).flatMap((from) =>
    [...readFileSync(`${SRC}/${from}`, 'utf8').matchAll(/\b(?:from|import|module)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) => ({
      from,
      to: normalize(join(dirname(from), path!)),
    })),
  );
}

describe('the folders of packages/core/src', () => {
  it('are all read', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(new Set(imports.map(({ from }) => (from.includes('/') ? from.split('/')[0]! : '.')))).toEqual(new Set(rooms));
  });

  it('import downward only', () => {
    expect(upwardImports(imports, rooms)).toEqual([]);
  });

  it('form no cycles at any depth', () => {
    expect(folderCycles(imports)).toEqual([]);
  });

  it('are reported with both folders when an upward import is planted', () => {
    const planted = { from: 'platform/db/database.ts', to: 'program/links/link.ts' };
    expect(upwardImports([...imports, planted], rooms)).toEqual([
      'platform must not import program: platform/db/database.ts -> program/links/link.ts',
    ]);
  });

  it('are reported when a cycle inside one folder is planted', () => {
    const planted = { from: 'program/campaigns/campaign.service.ts', to: 'program/links/link-url.ts' };
    expect(folderCycles([...imports, planted])).toContain(
      'in program: campaigns <-> links: program/campaigns/campaign.service.ts -> program/links/link-url.ts',
    );
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(`${ROOT}/ARCHITECTURE.md`, 'utf8');

  it('draws the storeys in the order of the table', () => {
    const drawing = /```mermaid\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const drawn = [...drawing.matchAll(/^\s*(\w+)\["(.+?)<br\/>(.+?)"\]/gm)].map(([, , room, question]) => ({ room, question }));
    expect(drawn).toEqual(STOREYS.map(({ room, question }) => ({ room: room === '.' ? 'index' : room, question })));
  });

  it('names only existing files and folders', () => {
    const named = [...text.matchAll(/`((?:packages|test|bench|docs|examples)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});

describe.each(STOREYS.filter(({ room }) => room !== '.'))('the README of the room $room', ({ room, question }) => {
  const text = readFileSync(`${SRC}/${room}/README.md`, 'utf8');

  it('begins with the name and the question of the room', () => {
    expect(text.split('\n\n').slice(0, 2)).toEqual([`# ${room}`, question]);
  });

  it.runIf(room !== 'procedures')('links to the rules of the room', () => {
    expect(text).toContain(`](../../../../docs/rules/${room}.md)`);
  });

  it('lists exactly the folders of the room', () => {
    const folders = readdirSync(`${SRC}/${room}`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const named = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });
});
