import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ICruiseResult, type IForbiddenRuleType, cruise } from 'dependency-cruiser';
import { beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Allowed imports (ARCHITECTURE.md). */
const RULES: IForbiddenRuleType[] = [
  { name: 'no-cycles', from: {}, to: { circular: true } },
  { name: 'resolvable', from: {}, to: { couldNotResolve: true } },
  {
    name: 'core-through-its-index',
    comment: 'Every door knows of the core only what it exports.',
    from: { path: '^packages/(rest|mcp|worker|web|app|client|sdk|generator)/' },
    to: { path: '^packages/core/src/', pathNot: '^packages/core/src/(index|browser|vocabulary)\\.ts$' },
  },
  {
    name: 'doors-know-nothing-of-each-other',
    from: { path: '^packages/(rest|mcp|worker|web)/' },
    to: { path: '^packages/(rest|mcp|worker|web|app)/', pathNot: '^packages/$1/' },
  },
  {
    name: 'core-knows-no-door',
    from: { path: '^packages/core/' },
    to: {
      path: '^packages/(?!core/|postgres/)|/node_modules/(express|@modelcontextprotocol|undici|pg-boss|nodemailer|pino|commander)/',
    },
  },
  {
    name: 'postgres-stands-alone',
    comment: 'It drives connections and knows nothing of the service.',
    from: { path: '^packages/postgres/' },
    to: { path: '^packages/(?!postgres/)' },
  },
  {
    name: 'only-postgres-drives-connections',
    from: { path: '^packages/(?!postgres/|embedded-postgres/)' },
    to: { path: '/node_modules/(pg|pg-protocol)/' },
  },
  {
    name: 'embedded-postgres-stands-alone',
    comment: 'It runs a database server and knows nothing of the service.',
    from: { path: '^packages/embedded-postgres/' },
    to: { path: '^packages/(?!embedded-postgres/)' },
  },
  {
    name: 'only-the-app-opens-embedded-postgres',
    from: { path: '^packages/(?!app/|embedded-postgres/)' },
    to: { path: '^packages/embedded-postgres/' },
  },
  {
    name: 'the-client-stands-alone',
    comment: 'It is installed without the service. Only its types are made from those of the core.',
    from: { path: '^packages/client/' },
    to: { path: '^packages/(?!client/)', pathNot: '^packages/core/src/index\\.ts$' },
  },
  {
    name: 'the-sdk-stands-alone',
    comment: 'It is installed without anything else. Building it copies the modules that it shares with the client.',
    from: { path: '^packages/sdk/' },
    to: { path: '^packages/(?!sdk/)', pathNot: '^packages/client/src/(retrying-fetch|portal-frame)\\.ts$' },
  },
  {
    name: 'only-tools-import-the-generator',
    from: { path: '^packages/(?!generator/|app/build/)' },
    to: { path: '^packages/generator/' },
  },
  {
    name: 'routers-are-imported-by-the-router-only',
    from: { path: '^packages/core/src/', pathNot: '^packages/core/src/router\\.ts$' },
    to: { path: '\\.router\\.ts$' },
  },
  { name: 'entities-know-records-only', from: { path: '\\.entity\\.ts$' }, to: { path: '\\.(service|queries|router)\\.ts$' } },
  {
    name: 'schemas-do-nothing',
    from: { path: '\\.schema\\.ts$' },
    to: { path: '\\.(service|queries|expansions|router)\\.ts$' },
  },
  {
    name: 'schemas-are-in-files-of-their-own',
    from: { path: '^packages/core/src/.*\\.(entity|queries|service|tables|transitions)\\.ts$' },
    to: { path: '/node_modules/zod/' },
  },
  {
    name: 'no-tests-in-production-code',
    from: { path: '^packages/', pathNot: '\\.test\\.ts$' },
    to: { path: '^test/|\\.test\\.ts$' },
  },
];

/** Returns the libraries and `node:` modules that a module imports, directly or through other modules. Includes type imports. */
function libraries({ modules }: ICruiseResult, entry: string): string[] {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const reached = new Set([entry]);
  const found = new Set<string>();
  // A Set also yields values that are added during the iteration.
  for (const source of reached) {
    for (const { module, resolved, coreModule } of bySource.get(source)!.dependencies) {
      if (coreModule) found.add(`node:${module.replace(/^node:/, '')}`);
      else if (resolved.includes('node_modules/')) found.add(/^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module);
      else reached.add(resolved);
    }
  }
  return [...found].toSorted();
}

let result: ICruiseResult;

beforeAll(async () => {
  const { output } = await cruise(
    ['packages'],
    {
      baseDir: ROOT,
      ruleSet: { forbidden: RULES },
      validate: true,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      // Only compiled files of this project are excluded, with their directories, which other tests build meanwhile. Excluding every .js file would
      // hide most libraries from the rules.
      exclude: { path: '^packages/[^/]+/(src|build)/.*\\.js$|^packages/[^/]+/dist[-\\d]*(/|$)' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.tsx', '.js', '.json'] },
  );
  result = output as ICruiseResult;
});

it('every module is checked', () => {
  // Without a parser for TypeScript, dependency-cruiser would see no modules, and report nothing.
  const seen = result.modules.map(({ source }) => source).filter((source) => source.startsWith('packages/'));
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !seen.includes(file))).toEqual([]);
  expect(result.summary.totalDependenciesCruised).toBeGreaterThan(files.length);
});

it.each(RULES.map(({ name }) => name!))('every import follows the rule %s', (name) => {
  const broken = result.summary.violations.filter(({ rule }) => rule.name === name);
  expect(broken.map(({ from, to, cycle }) => `${from} -> ${cycle ? cycle.map((step) => step.name).join(' -> ') : to}`)).toEqual(
    [],
  );
});

it('the core uses neither the environment nor any clock except its own', () => {
  const offenders = globSync('packages/core/src/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('.test.ts') })
    .filter((file) => !file.endsWith('platform/time/clock.ts'))
    .filter((file) => /process\.env|Date\.now\(\)|new Date\(\)/.test(readFileSync(`${ROOT}/${file}`, 'utf8')));
  expect(offenders).toEqual([]);
});

it('browser code imports only types, the client, and the browser export of the core', () => {
  // Reads the imports from the text, because dependency-cruiser's parser does not say which of them are type imports.
  const imports = globSync('packages/web/src/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/^(import|export)\b[^;]*?from '(@affiliate\/[^']+)';/gm)].map(
      ([statement, , from]) => ({ file, statement, from }),
    ),
  );
  expect(imports.length).toBeGreaterThan(0);
  expect(
    imports.filter(
      ({ statement, from }) =>
        !statement.startsWith('import type ') && !['@affiliate/core/browser', '@affiliate/client'].includes(from!),
    ),
  ).toEqual([]);
});

it('the browser export contains no server code', () => {
  expect(libraries(result, 'packages/core/src/browser.ts')).toEqual([]);
});

it('the client imports only types of the core', () => {
  const imports = globSync('packages/client/src/*.ts', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/^.*'@affiliate\/[^']+';$/gm)].map(([line]) => ({ file, line })),
  );
  expect(imports).toEqual([{ file: 'packages/client/src/procedures.ts', line: expect.stringMatching(/^export type /) }]);
});

it('indirect imports of libraries are found', () => {
  // Proves that the test above finds libraries at all: the package's main export imports these.
  expect(libraries(result, 'packages/core/src/index.ts')).toEqual(
    expect.arrayContaining(['kysely', '@mikro-orm/core', 'pg', 'zod', 'node:crypto']),
  );
});

it('no folder is named for miscellaneous code', () => {
  // Excludes built pages and generated clients, because the bundler and the generators choose the names of their files.
  const built = ['packages/web/dist', 'test/generators/clients/generated'];
  const isForeign = (path: string) => path.includes('node_modules') || built.includes(path);
  const paths = globSync('{packages,test,bench}/**', { cwd: ROOT, exclude: isForeign });
  expect(paths.filter((path) => /(^|[/.-])(utils?|helpers?|common|misc|manager)([/.-]|$)/i.test(path))).toEqual([]);
});
