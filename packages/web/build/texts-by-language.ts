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
 * language. If the entry imports `texts/german-later.ts` as well, `german.ts` has only those texts that the application and its first views import,
 * and the other module has the rest.
 */
export function textsByLanguage(): Plugin {
  /** For each module of German texts, the folder of the entry. */
  const folders = new Map<string, string>();
  return {
    name: 'texts-by-language',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !/\/german(-later)?\.ts$/.test(source)) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!resolved) return null;
      const folder = dirname(importer);
      const id = `${resolved.id}?${basename(folder)}`;
      folders.set(id, folder);
      return { ...resolved, id };
    },
    async load(id) {
      const folder = folders.get(id);
      if (folder === undefined) return null;
      // `app.tsx` beside the entry imports all code of its pages.
      const all = await areasBelow([join(folder, 'app.tsx')], IMPORTS);
      const isSplit = (await readFile(join(folder, 'main.tsx'), 'utf8')).includes('german-later.ts');
      const first = isSplit ? await areasBelow(await firstViewsOf(folder), STATIC_IMPORTS) : all;
      const paths = id.includes('german-later.ts') ? all.filter((path) => !first.includes(path)) : first;
      const areas = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
      return `export default { ${areas.map((source) => `'${AREA.exec(source)![1]}': ${germanOf(source)}`).join(', ')} };`;
    },
    transform(code, id) {
      return id.includes(TEXTS) && AREA.test(code) ? { code: withoutGerman(code), map: null } : null;
    },
  };
}

/** Imports of code, on demand or not. */
const IMPORTS = /(?:\bfrom |\bimport\()'(\.[^']+\.tsx?)'/g;
/** Imports of code that is loaded together with the module. */
const STATIC_IMPORTS = /^(?:import|export) (?!type )[^;]*?\bfrom '(\.[^']+\.tsx?)';/gm;
/** In `pages.ts`: the module of a page that declares its first requests. */
const FIRST_VIEWS = /import\('(\.[^']+\.tsx)'\), \[/g;

/** Returns the application in a folder, and those of its pages that are first views. */
async function firstViewsOf(folder: string): Promise<string[]> {
  const pages = await readFile(join(folder, 'pages.ts'), 'utf8');
  return ['app.tsx', ...[...pages.matchAll(FIRST_VIEWS)].map(([, path]) => path!)].map((path) => join(folder, path));
}

/** Returns the files of all areas that modules import, directly or through others. */
async function areasBelow(modules: readonly string[], imports: RegExp): Promise<string[]> {
  const files = new Set(modules);
  const areas: string[] = [];
  // Iterating over a Set includes elements that are added during the iteration.
  for (const file of files) {
    const source = await readFile(file, 'utf8');
    if (file.includes(TEXTS) && AREA.test(source)) areas.push(file);
    for (const [, path] of source.matchAll(imports)) files.add(join(dirname(file), path!));
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
