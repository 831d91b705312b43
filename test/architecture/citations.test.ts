import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STOREYS } from './storeys.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RULES = 'docs/rules';

const files = globSync(['*.md', '{packages,test,bench,docs,examples}/**/*.{ts,tsx,js,mjs,md,yaml}'], { cwd: ROOT })
  // This file contains faulty citations for its own tests.
  .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path) && path !== 'test/architecture/citations.test.ts')
  .map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
const pages = files.filter(({ path }) => path.startsWith(`${RULES}/`));
/** Every rule, as `ledger.md#refunds`. */
const rules = pages.flatMap(({ path, text }) => anchorsOf(text).map((anchor) => `${path.slice(RULES.length + 1)}#${anchor}`));

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Finds citations of rules that do not exist, as `file: page#anchor`. */
function unknownCitations(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const cited = [...text.matchAll(/\brules\/(\w+\.md#[\w-]*)/g)].map(([, rule]) => rule!);
    return cited.filter((rule) => !rules.includes(rule)).map((rule) => `${path}: ${rule}`);
  });
}

/** Finds links between the pages of rules whose target does not exist. */
function brokenLinks(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const page = path.slice(RULES.length + 1);
    const linked = [...text.matchAll(/\]\((\w+\.md)?#([\w-]+)\)/g)].map(([, other, anchor]) => `${other ?? page}#${anchor}`);
    return linked.filter((rule) => !rules.includes(rule)).map((rule) => `${path}: ${rule}`);
  });
}

/** Matches text that cites a document outside the repository, or a decision by its number alone. */
const OUTSIDE = [
  /\bspecification,? section\b/i,
  /\b(?:the|this) specification\b/i,
  /\bdecisions? ?§/i,
  /\bdecisions?,? ["“‘]/i,
  /\bdecision: [a-z]+ [a-z]/,
  /(?<!\[)\bdecisions? \d/i,
  /(?<![\w/])(?:service|decisions)\.md\b/,
];

/** Finds citations of documents outside the repository, as `file:line: text`. */
function outsideCitations(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (OUTSIDE.some((pattern) => pattern.test(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

describe('docs/rules', () => {
  it('has no duplicate anchors, so that a rule can move to another page', () => {
    const anchors = rules.map((rule) => rule.split('#')[1]!);
    expect(anchors.length).toBeGreaterThan(60);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it('has a page for every room that has rules', () => {
    const rooms = STOREYS.map(({ room }) => room).filter((room) => !['.', 'procedures'].includes(room));
    expect(pages.map(({ path }) => path.slice(RULES.length + 1, -3)).toSorted()).toEqual(
      [...rooms, 'README', 'assistants'].toSorted(),
    );
  });

  it('has every anchor that a file of the repository cites', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(unknownCitations(files)).toEqual([]);
  });

  it('has every anchor that its pages link to', () => {
    expect(brokenLinks(pages)).toEqual([]);
    expect(brokenLinks([{ path: `${RULES}/planted.md`, text: '[a](ledger.md#no-such-rule) [b](#nor-this)' }])).toHaveLength(2);
  });

  it('is reported when a planted comment cites a missing anchor', () => {
    const planted = { path: 'packages/core/src/planted.ts', text: '/** See docs/rules/ledger.md#no-such-rule. */' };
    expect(unknownCitations([planted])).toEqual(['packages/core/src/planted.ts: ledger.md#no-such-rule']);
  });
});

describe('the files of the repository', () => {
  it('cite no documents outside the repository, and no decisions without a link', () => {
    expect(outsideCitations(files)).toEqual([]);
  });

  it.each([
    '/** Answers 404 (specification section 7). */',
    '// As the specification says.',
    ' * Frozen at creation (decisions, "Records": Payout export).',
    '/** Checked twice (decision: outbound webhooks). */',
    '/** Admins only (decisions §2). */',
    'Made of procedures (decision 40).',
    'See service.md.',
    'See decisions.md, section 7.',
  ])('are reported for the outside citation in %j', (line) => {
    expect(outsideCitations([{ path: 'packages/core/src/planted.ts', text: line }])).toHaveLength(1);
  });

  it.each(['See [decision 40](0040-tools.md).', 'decide: (decision: Decision) => post(decision)', '(RFC 9728, section 3)'])(
    'are not reported for %j',
    (line) => {
      expect(outsideCitations([{ path: 'packages/core/src/planted.ts', text: line }])).toEqual([]);
    },
  );
});

describe('SECURITY.md', () => {
  it('cites only existing tests', () => {
    const { text } = files.find(({ path }) => path === 'SECURITY.md')!;
    const named = [
      ...text.matchAll(/`((?:test|packages)\/[\w/.-]+\.test\.ts)`(?: › (.+?)(?=<br>| \|))?/g),
      ...text.matchAll(/`(test\/[\w/.-]+\.test\.ts) -t '([^']+)'`/g),
    ];
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter(([, path, title = '']) => !files.find((file) => file.path === path)?.text.includes(title));
    expect(missing.map(([citation]) => citation)).toEqual([]);
  });
});
