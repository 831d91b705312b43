import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { texts } from './catalogue.ts';

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

  test.each(globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => isArea(file)))(
    'has the same placeholders in both languages: %s',
    (file) => {
      const texts = textsOf(readFileSync(join(import.meta.dirname, file), 'utf8'));
      expect(texts).not.toEqual([]);
      for (const { key, en, de } of texts) {
        expect([key, [...new Set(de.flatMap(placesOf))].toSorted(byText)]).toEqual([
          key,
          [...new Set(en.flatMap(placesOf))].toSorted(byText),
        ]);
        expect([key, ...en, ...de]).not.toContain('');
      }
    },
  );
});

/** True for a file with texts. */
function isArea(file: string): boolean {
  return /\btexts\(\{/.test(readFileSync(join(import.meta.dirname, file), 'utf8')) && !/^(catalogue|texts\.test)\.ts$/.test(file);
}

interface Property {
  type: string;
  key: { name?: string; value?: string };
  value: { properties: Property[] };
}

/** Returns the texts of an area's source: each key with its strings in both languages. */
function textsOf(source: string): { key: string; en: string[]; de: string[] }[] {
  const stringsOf = (node: unknown): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { type, value } = node as Node;
    if (type === 'Literal' && typeof value === 'string') return [value];
    return Object.values(node).flatMap(stringsOf);
  };
  const callsOf = (node: unknown): Property[][] => {
    if (typeof node !== 'object' || node === null) return [];
    const { callee, arguments: input } = node as { callee?: { name?: string }; arguments?: { properties: Property[] }[] };
    if (callee?.name === 'texts') return [input![0]!.properties];
    return Object.values(node).flatMap(callsOf);
  };
  const nameOf = ({ key }: Property) => key.name ?? key.value ?? '';
  return callsOf(parseSync('area.ts', source).program)
    .flat()
    .filter(({ type }) => type === 'Property')
    .map((text) => {
      const stringsIn = (language: string) =>
        stringsOf(text.value.properties.find((property) => nameOf(property) === language)?.value);
      return { key: nameOf(text), en: stringsIn('en'), de: stringsIn('de') };
    });
}

describe('a text', () => {
  const t = texts({
    pay: { en: 'Pay {name} {amount}', de: 'Zahle {name} {amount}' },
    sales: {
      en: { one: '{count} sale', other: '{count} sales' },
      de: { one: '{count} Verkauf', other: '{count} Verkäufe' },
    },
    salesOf: {
      en: { one: '{count} sale of {name}', other: '{count} sales of {name}' },
      de: { one: '{count} Verkauf von {name}', other: '{count} Verkäufe von {name}' },
    },
  });

  test('inserts values literally', () => {
    expect(t.pay({ name: '$& {amount}', amount: '$10.00' })).toBe('Pay $& {amount} $10.00');
  });

  test('has singular and plural forms', () => {
    expect([t.sales(1), t.sales(0), t.sales(12_000)]).toEqual(['1 sale', '0 sales', '12,000 sales']);
    expect(t.salesOf(2, { name: 'Ada' })).toBe('2 sales of Ada');
  });
});
