import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const RULES = 'docs/domain-rules.md';

const files = globSync(['*.md', '{packages,test,bench,docs,examples}/**/*.{ts,tsx,js,mjs,md,yaml}'], { cwd: ROOT })
  // This file contains faulty citations for its own tests.
  .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path) && path !== 'test/architecture/citations.test.ts')
  .map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
const anchors = anchorsOf(readFileSync(`${ROOT}/${RULES}`, 'utf8'));

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Finds citations of rules that do not exist, as `file: anchor`. */
function unknownCitations(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/domain-rules\.md#([\w-]*)/g)]
      .filter(([, anchor]) => !anchors.includes(anchor!))
      .map(([, anchor]) => `${path}: #${anchor}`),
  );
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

describe('docs/domain-rules.md', () => {
  it('has no duplicate anchors', () => {
    expect(anchors.length).toBeGreaterThan(60);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it('has every anchor that a file of the repository cites', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(unknownCitations(files)).toEqual([]);
  });

  it('has every anchor that it links to internally', () => {
    const page = files.find(({ path }) => path === RULES)!;
    const linked = [...page.text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!);
    expect(linked.length).toBeGreaterThan(60);
    expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });

  it('is reported when a planted comment cites a missing anchor', () => {
    const planted = { path: 'packages/core/src/planted.ts', text: '/** See docs/domain-rules.md#no-such-rule. */' };
    expect(unknownCitations([planted])).toEqual(['packages/core/src/planted.ts: #no-such-rule']);
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
