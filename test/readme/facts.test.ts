import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ERRORS, EVENT_TYPES, PERMISSION_NAMES, RESOURCES, roleMay } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RELEASED } from '../faults/released.ts';
import { CONTRACT } from '../support/contract.ts';
import { MANUALS, ROOT, blocksOf, namesIn, readText, rowsOf } from './manuals.ts';

const DOCUMENTS = [...globSync('*.md', { cwd: ROOT }), ...globSync('{docs,.github}/**/*.md', { cwd: ROOT })];

describe.each(DOCUMENTS)('%s', (file) => {
  it('links only to existing files and headings', () => {
    const broken = linksIn(readText(file)).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readText(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** Packages of others, and paths of packages that a reader has built. Nobody has registered the names of this project. */
const INSTALLED = /^(pnpm@12|node@24|https:\/\/affiliates\.example\.com\/sdk\/\S+)$/;

it('the documents install nothing under a name that nobody has registered', () => {
  const installed = DOCUMENTS.flatMap((file) =>
    [
      ...readText(file).matchAll(
        /\b(?:npx|uvx|(?:npm|pnpm|bun|yarn) (?:install|i|add|dlx)|pipx? install|docker (?:pull|run))((?: +-[-\w]+)*) +([@/\w][^\s`]*)/g,
      ),
    ].map(([, , name]) => name!),
  );
  expect(installed.length).toBeGreaterThan(20);
  expect(installed.filter((name) => !INSTALLED.test(name) && name !== 'and')).toEqual([]);
});

it('integrators need no procedures outside REST', () => {
  const files = ['README.md', ...globSync('{docs,examples}/**/*.{md,ts,mjs}', { cwd: ROOT })];
  expect(files.length).toBeGreaterThan(30);
  // The address, not the folder of the code.
  expect(files.filter((file) => /(?<!platform)\/trpc/.test(readText(file)))).toEqual([]);
});

describe.each(['AGENTS.md', 'CONTRIBUTING.md'])('%s', (file) => {
  it('names only existing files and folders', () => {
    const paths = namesIn(readText(file)).filter((name) =>
      /^(packages|test|docs|bench|examples|\.ci|\.github)\/[^\s<>]*$/.test(name),
    );
    expect(paths.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
    expect(paths.length).toBeGreaterThan(3);
  });
});

describe('the commands of package.json', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const nightly = (parse(readText('.github/workflows/thorough.yml')) as Workflow).jobs['thorough']!.strategy.matrix.command;

  it('include every command that documents and workflows name', () => {
    const pasted = [...DOCUMENTS, ...globSync('.github/workflows/*.yml', { cwd: ROOT })].flatMap((file) =>
      [...readText(file).matchAll(/pnpm@12 (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!),
    );
    const unknown = [...pasted, ...nightly].filter((name) => !['install', 'exec'].includes(name) && !(name in scripts));
    expect(pasted.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  it('include every long test command, and all except the hour-long one run nightly', () => {
    const longForms = Object.keys(scripts).filter((name) => name.startsWith('test:'));
    expect(longForms.filter((name) => name !== 'test:soak')).toEqual(nightly);
  });
});

interface Workflow {
  jobs: Record<string, { strategy: { matrix: { command: string[] } } }>;
}

it('the README links to every manual', () => {
  const internal = ['docs/rules/README.md', 'docs/style.md'];
  const linked = linksIn(readText('README.md'));
  expect(MANUALS.filter((file) => !internal.includes(file) && !linked.includes(file))).toEqual([]);
});

it.each(['README.md', ...MANUALS])('%s introduces every code block that the tests do not run with the word “example”', (file) => {
  const unexplained = blocksOf(file).filter(
    ({ language, introduction }) => language === 'console' && !/\bexamples?\b/i.test(introduction),
  );
  expect(unexplained).toEqual([]);
  expect(blocksOf(file).filter(({ language }) => ['', 'bash', 'shell'].includes(language))).toEqual([]);
});

describe('docs/api.md', () => {
  it('lists every error code with its status and when it occurs, as declared', () => {
    const listed = rowsOf('docs/api.md', 'Errors').map(([code, status, when]) => [namesIn(code!)[0], Number(status), when]);
    expect(listed).toEqual(Object.entries(ERRORS).map(([code, { status, when }]) => [code, status, when]));
  });

  it('lists every permission with the roles that have it', () => {
    const rows = rowsOf('docs/api.md', 'Permissions and roles');
    const explained = rows.map(([, names, read, write]) => ({ names: namesIn(names!), read, write }));
    const names = PERMISSION_NAMES.filter((name) => name !== 'all' && !name.startsWith('mcp.'));
    expect(new Set(explained.flatMap((row) => row.names))).toEqual(new Set(names));
    for (const {
      names: [name],
      read,
      write,
    } of explained) {
      const resource = name!.split('.')[1] as keyof typeof RESOURCES;
      const needed = RESOURCES[resource];
      expect({ read, write }).toEqual({
        ...needed,
        write: `${needed.write}${roleMay('finance', resource, 'write') ? ', finance' : ''}`,
      });
    }
  });
});

it('docs/webhooks.md explains every event', () => {
  expect(rowsOf('docs/webhooks.md', 'Events').map(([type]) => namesIn(type!)[0])).toEqual([...EVENT_TYPES]);
});

describe('docs/payouts.md and docs/tracking.md explain every', () => {
  it.each([
    ['state of a payout', 'docs/payouts.md', 'From commission to payout', 'PayoutState'],
    ['reason of ineligibility', 'docs/payouts.md', 'From commission to payout', 'IneligibleReason'],
    ['state of a run', 'docs/payouts.md', 'Pay by run', 'PayoutRunState'],
    ['issue of a run', 'docs/payouts.md', 'Pay by run', 'PayoutRunIssue'],
    ['discrepancy', 'docs/payouts.md', 'Check the books', 'DiscrepancyCode'],
    ['reason for no commission', 'docs/tracking.md', 'Report sales from your server', 'NoCommissionReason'],
  ])('%s', (_what, file, heading, enumeration) => {
    const explained = rowsOf(file, heading).flatMap(([names]) => namesIn(names!));
    const { enum: values } = CONTRACT.components!.schemas![enumeration] as { enum: string[] };
    expect(values.filter((value) => !explained.includes(value))).toEqual([]);
  });
});

/** Returns the targets of links to files in the repository. */
function linksIn(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => !/^\w+:/.test(link));
}

/** Returns the anchors of a Markdown page: explicit ones, and those that GitHub generates from headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const written = [...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name]) => name!);
  return new Set([...headings, ...written]);
}

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT });

  it('use actions by the commit of a version', () => {
    const used = workflows.flatMap((file) => [...readText(file).matchAll(/uses: (.*)$/gm)].map(([, action]) => action!));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('release the version of every package, with its section of the changelog as notes', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    const release = (tag: string) =>
      execFileSync(process.execPath, ['.ci/release.mjs', tag], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
    expect(release(`v${version}`)).toMatch(/^Version [\s\S]+^### (Added|Changed|Fixed)$/m);
    expect(() => release('v0.0.0')).toThrow(/Not of version 0\.0\.0: package\.json/);
  });

  it('refuse to release a version whose migrations are not frozen', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    const parameters = ['.ci/release.mjs', `v${version}`, '--frozen'];
    const { status, stderr } = spawnSync(process.execPath, parameters, { cwd: ROOT, encoding: 'utf8' });
    const isFrozen = RELEASED.release === version;
    expect([status, stderr.startsWith(`The migrations are not frozen for ${version}.`)]).toEqual(
      isFrozen ? [0, false] : [1, true],
    );
  });
});
