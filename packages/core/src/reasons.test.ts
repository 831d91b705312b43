import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ENTITIES } from './database.ts';
import { Reason, reasons, storedReason } from './platform/texts/reason.ts';
import { RECORDS } from './platform/texts/refusal-words.ts';

const PACKAGES = join(import.meta.dirname, '../..');
const FILES = globSync('{core,rest}/src/**/{reasons,texts/refusal-words}.ts', { cwd: PACKAGES });
const SOURCES = globSync('{core,rest,mcp}/src/**/*.ts', { cwd: PACKAGES })
  .filter((file) => !file.endsWith('.test.ts') && !FILES.includes(file))
  .map((file) => readFileSync(join(PACKAGES, file), 'utf8'))
  .join('\n');

type Catalogue = Record<string, Reason | ((values: object) => Reason)>;

const catalogues = await Promise.all(
  FILES.map(async (file) => Object.entries((await import(join(PACKAGES, file))) as Record<string, Catalogue>)),
);
const entries = catalogues
  .flat()
  .flatMap(([name, catalogue]) => Object.entries(catalogue).map(([code, entry]) => ({ name, code, entry })))
  .filter(({ entry }) => entry instanceof Reason || typeof entry === 'function');

const made = (entry: Catalogue[string]) => (entry instanceof Reason ? entry : entry({}));

describe('a reason', () => {
  it('has a text in every language, which names no fields and procedures in German', () => {
    expect(entries.length).toBeGreaterThan(450);
    const known = /customer_id|(?:whsec|acct|sk_test|rk_live|rk_test)_\w*/g;
    const wrong = entries.filter(({ entry }) => /`|[a-z]_[a-z]|\/api\//.test(made(entry).in('de').replaceAll(known, '')));
    expect(wrong.map(({ code }) => code)).toEqual([]);
  });

  it('is given somewhere', () => {
    const names = new Set(entries.map(({ name }) => name));
    // A catalogue whose reasons are looked up by a value that the caller has.
    const isLookedUp = (name: string) => new RegExp(String.raw`\b${name}\[|= ${name};`).test(SOURCES);
    expect([...names].filter((name) => !new RegExp(String.raw`\b${name}\b`).test(SOURCES))).toEqual([]);
    const unused = entries.filter(
      ({ name, code }) => !isLookedUp(name) && !new RegExp(String.raw`\b${name}\.${code}\b`).test(SOURCES),
    );
    expect(unused.map(({ name, code }) => `${name}.${code}`)).toEqual([]);
  });

  it('about a record knows the names of all entities', () => {
    const names = ENTITIES.map(({ meta }) => meta.className.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase());
    expect(names.filter((name) => !Object.hasOwn(RECORDS, name))).toEqual([]);
  });

  const TEXTS = reasons({
    plain: { en: 'No.', de: 'Nein.' },
    filled: { en: 'No {what}, {what}.', de: 'Kein {what}.' },
    counted: { en: { one: '{count} file', other: '{count} files' }, de: { one: '{count} Datei', other: '{count} Dateien' } },
  });

  it('is filled with values that have a language of their own, in one pass', () => {
    expect(TEXTS.plain.in('de')).toBe('Nein.');
    expect(String(TEXTS.filled({ what: TEXTS.counted({ count: 1 }) }))).toBe('No 1 file, 1 file.');
    expect(TEXTS.filled({ what: TEXTS.counted({ count: 1_000 }) }).in('de')).toBe('Kein 1000 Dateien.');
    expect(TEXTS.filled({ what: '{what} $&' }).in('de')).toBe('Kein {what} $&.');
    expect(JSON.stringify([TEXTS.plain])).toBe('["No."]');
  });

  it('is stored as its code with its values', () => {
    expect(TEXTS.plain.stored).toBe('plain');
    const stored = TEXTS.filled({ what: 'a {"b"} c' }).stored;
    expect(storedReason(TEXTS, stored).in('de')).toBe('Kein a {"b"} c.');
    expect(storedReason(TEXTS, 'plain').in('de')).toBe('Nein.');
    for (const unknown of ['constructor', 'A sentence of old.', 'gone {"a":1}'])
      expect(String(storedReason(TEXTS, unknown))).toBe(unknown);
  });

  it('is checked by the compiler: placeholders, values and languages', () => {
    expectTypeOf(TEXTS.plain).toEqualTypeOf<Reason<'plain'>>();
    // @ts-expect-error German has a placeholder that English lacks.
    reasons({ wrong: { en: 'No {what}.', de: 'Kein {was}.' } });
    // @ts-expect-error A language is missing.
    reasons({ wrong: { en: 'No.' } });
    // @ts-expect-error The value has another name.
    TEXTS.filled({ was: 'x' });
  });
});
