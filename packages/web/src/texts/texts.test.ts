import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import german from './de/index.ts';
import { count, params, texts } from './catalogue.ts';

const SOURCES = join(import.meta.dirname, '..');

/** Names that are the same in every language. */
const BRANDS = ['Affiliate', 'Stripe', 'PayPal', 'Wise'];

interface Node {
  type: string;
  value?: unknown;
  start: number;
}

/** Lists the string literals of a source file that look like text for people. */
function textsIn(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const found: string[] = [];
  const add = (node: Node, text: string) => found.push(`line ${source.slice(0, node.start).split('\n').length}: ${text.trim()}`);
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    const { type, value } = node as Node;
    // Strings in imports are file names, strings in types are API values, and thrown errors are messages for programmers.
    if (/^(Import|ExportAll|TS(?!As|Satisfies|NonNull)|Throw)/.test(type)) return;
    if (type === 'JSXAttribute' && (node as unknown as { name: { name: string } }).name.name === 'className') return;
    // Commands and font names are the same in every language.
    if (type === 'JSXElement' && source.startsWith('<Code>', (node as Node).start)) return;
    if (type === 'Property' && source.startsWith('fontFamily:', (node as Node).start)) return;
    if (type === 'JSXText' && typeof value === 'string' && /\p{Letter}/u.test(value) && !BRANDS.includes(value.trim()))
      add(node as Node, value);
    if (type === 'Literal' && typeof value === 'string' && isProse(value)) add(node as Node, value);
    if (type === 'TemplateElement') {
      const { raw } = value as { raw: string };
      if (isProse(raw)) add(node as Node, raw);
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'type') walk(child);
  };
  walk(parseSync(basename(path), source).program);
  return found;
}

/** True for a text of several words, and for a single capitalized word. */
function isProse(text: string): boolean {
  if (BRANDS.includes(text)) return false;
  return /^\s*\p{Lu}[\p{Ll}-]+[\s.…?!:]*$/u.test(text) || /\p{Letter}[,.:]? (\d+ )?\p{Letter}/u.test(text);
}

const byText = (a: string, b: string) => a.localeCompare(b);

/** Returns the sorted names of a text's placeholders, e.g. `{name}`. */
const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').toSorted(byText);

describe('the catalog of texts', () => {
  const converted = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter(
    (path) => !path.endsWith('.test.ts') && !path.startsWith('texts/'),
  );

  test('contains all texts of the pages', () => {
    expect(converted.length).toBeGreaterThan(5);
    expect(converted.flatMap((path) => textsIn(join(SOURCES, path)).map((text) => `${path}, ${text}`))).toEqual([]);
  });

  test('has every area in German', () => {
    const areas = globSync('en/*.ts', { cwd: import.meta.dirname }).map((path) => basename(path, '.ts'));
    expect(Object.keys(german).toSorted()).toEqual(areas.toSorted());
  });

  test.each(Object.keys(german))('has the same placeholders in both languages: %s', (area) => {
    const source = readFileSync(join(import.meta.dirname, 'en', `${area}.ts`), 'utf8');
    const english = new Map<string, Set<string>>();
    for (const { key, strings } of entriesOf(source)) english.set(key, new Set(strings.flatMap(placesOf)));
    for (const [key, translation] of Object.entries(german[area as keyof typeof german])) {
      const strings = typeof translation === 'string' ? [translation] : Object.values(translation as Record<string, string>);
      expect([key, [...new Set(strings.flatMap(placesOf))].toSorted(byText)]).toEqual([
        key,
        [...english.get(key)!].toSorted(byText),
      ]);
    }
  });
});

/** Returns the keys of an area's source file, each with its texts. */
function entriesOf(source: string): { key: string; strings: string[] }[] {
  const entries: { key: string; strings: string[] }[] = [];
  const stringsOf = (node: unknown): string[] => {
    if (Array.isArray(node)) return node.flatMap(stringsOf);
    if (typeof node !== 'object' || node === null) return [];
    const { type, value } = node as Node;
    if (type === 'Literal' && typeof value === 'string') return [value];
    return Object.values(node).flatMap(stringsOf);
  };
  const walk = (node: unknown, depth: number): void => {
    if (Array.isArray(node)) return node.forEach((child) => walk(child, depth));
    if (typeof node !== 'object' || node === null) return;
    const property = node as { type?: string; key?: { name?: string; value?: string }; value?: unknown };
    if (property.type === 'Property' && property.key) {
      entries.push({ key: property.key.name ?? property.key.value ?? '', strings: stringsOf(property.value) });
      return;
    }
    Object.values(node).forEach((child) => walk(child, depth + 1));
  };
  walk(parseSync('area.ts', source).program, 0);
  return entries;
}

describe('a text', () => {
  const t = texts('example', {
    pay: params('Pay {name} {amount}'),
    sales: count({ one: '{count} sale', other: '{count} sales' }),
    salesOf: count({ one: '{count} sale of {name}', other: '{count} sales of {name}' }),
  });

  test('inserts values literally', () => {
    expect(t.pay({ name: '$& {amount}', amount: '$10.00' })).toBe('Pay $& {amount} $10.00');
  });

  test('has singular and plural forms', () => {
    expect([t.sales(1), t.sales(0), t.sales(12_000)]).toEqual(['1 sale', '0 sales', '12,000 sales']);
    expect(t.salesOf(2, { name: 'Ada' })).toBe('2 sales of Ada');
  });
});
