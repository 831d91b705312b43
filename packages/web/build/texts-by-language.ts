import { readFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type Plugin, parseSync } from 'vite';

const TEXTS = `${sep}src${sep}texts${sep}`;
/** An area: a module of texts that calls `texts(name, definitions)`. */
const AREA = /\btexts\('([\w-]+)', \{/;

interface Property {
  start: number;
  end: number;
  key: { name?: string; value?: string };
  value: { start: number; end: number; properties: Property[] };
}

/**
 * Takes the German texts out of the areas, and puts those that an entry needs into the entry's `texts/german.ts`. A browser then loads one
 * language.
 */
export function textsByLanguage(): Plugin {
  /** For each module of German texts, the application that needs them. */
  const applications = new Map<string, string>();
  return {
    name: 'texts-by-language',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !source.endsWith('/german.ts')) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!resolved) return null;
      // Each entry has its own: `app.tsx` beside the entry imports all code of its pages.
      const folder = dirname(importer);
      const id = `${resolved.id}?${basename(folder)}`;
      applications.set(id, join(folder, 'app.tsx'));
      return { ...resolved, id };
    },
    async load(id) {
      const application = applications.get(id);
      if (application === undefined) return null;
      const areas = await Promise.all((await areasBelow(application)).map((path) => readFile(path, 'utf8')));
      return `export default { ${areas.map((source) => `'${AREA.exec(source)![1]}': ${germanOf(source)}`).join(', ')} };`;
    },
    transform(code, id) {
      return id.includes(TEXTS) && AREA.test(code) ? { code: withoutGerman(code), map: null } : null;
    },
  };
}

/** Returns the files of all areas that a module imports, directly or through others, on demand or not. */
async function areasBelow(module: string): Promise<string[]> {
  const files = new Set([module]);
  const areas: string[] = [];
  // Iterating over a Set includes elements that are added during the iteration.
  for (const file of files) {
    const source = await readFile(file, 'utf8');
    if (file.includes(TEXTS) && AREA.test(source)) areas.push(file);
    for (const [, path] of source.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+\.tsx?)'/g)) files.add(join(dirname(file), path!));
  }
  return areas.toSorted();
}

/** Returns the texts of an area's source. */
function textsOf(source: string): Property[] {
  let found: Property[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const call = node as { type?: string; callee?: { name?: string }; arguments?: { properties?: Property[] }[] };
    if (call.type === 'CallExpression' && call.callee?.name === 'texts') found = call.arguments?.[1]?.properties ?? [];
    else Object.values(node).forEach(walk);
  };
  walk(parseSync('area.ts', source).program);
  return found;
}

const nameOf = ({ key }: Property) => key.name ?? key.value ?? '';

function germanOf(source: string): string {
  const translated = textsOf(source).map((text) => {
    const german = text.value.properties.find((property) => nameOf(property) === 'de')!;
    return `'${nameOf(text)}': ${source.slice(german.value.start, german.value.end)}`;
  });
  return `{ ${translated.join(', ')} }`;
}

/** Returns the source of an area with its English texts only. */
function withoutGerman(source: string): string {
  return textsOf(source).reduceRight((code, text) => {
    const english = text.value.properties.find((property) => nameOf(property) === 'en')!;
    return `${code.slice(0, text.value.start)}{ ${code.slice(english.start, english.end)} }${code.slice(text.value.end)}`;
  }, source);
}
