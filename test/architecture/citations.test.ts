import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const RULES = 'docs/domain-rules.md';

const files = globSync(['*.md', '{packages,test,bench,docs,examples}/**/*.{ts,tsx,js,mjs,md,yaml}'], { cwd: ROOT })
  .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
const anchors = anchorsOf(readFileSync(`${ROOT}/${RULES}`, 'utf8'));

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Citations of rules that the page does not have, as `file: anchor`. */
function unknownCitations(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/domain-rules\.md#([\w-]*)/g)]
      .filter(([, anchor]) => !anchors.includes(anchor!))
      .map(([, anchor]) => `${path}: #${anchor}`),
  );
}

describe('docs/domain-rules.md', () => {
  it('has each anchor once', () => {
    expect(anchors.length).toBeGreaterThan(60);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it('has every anchor that a file of the repository cites', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(unknownCitations(files.filter(({ path }) => path !== 'test/architecture/citations.test.ts'))).toEqual([]);
  });

  it('has every anchor that it links to itself', () => {
    const page = files.find(({ path }) => path === RULES)!;
    const linked = [...page.text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!);
    expect(linked.length).toBeGreaterThan(60);
    expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });

  it('would be found to lack an anchor that a planted comment cites', () => {
    const planted = { path: 'packages/core/src/planted.ts', text: '/** See docs/domain-rules.md#no-such-rule. */' };
    expect(unknownCitations([planted])).toEqual(['packages/core/src/planted.ts: #no-such-rule']);
  });
});
