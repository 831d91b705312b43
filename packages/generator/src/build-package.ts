import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  jsx: 'react-jsx',
  strict: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  rootDir: '.',
  outDir: 'dist',
};

/** The declarations keep the comments, the JavaScript does not. */
const PASSES = [['--declaration', '--emitDeclarationOnly'], ['--removeComments']];

/** Fields of package.json that the built package keeps. */
const KEPT = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'sideEffects',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
];

interface Build {
  /** Module of each export, without its extension. */
  exports: Record<string, string>;
  /** Contents of source files that differ in the built package, by path. */
  modules?: Record<string, string>;
}

/**
 * Builds the package in `directory` into its folder `dist`, which is what others install: JavaScript, declarations and a package.json of its own.
 * Returns the path of the folder.
 */
export function buildPackage(directory: string, { exports, modules = {} }: Build): string {
  // Inside the package, so that its dependencies are found.
  const building = join(directory, `dist-${process.pid}`);
  const target = join(directory, 'dist');
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building);
  try {
    cpSync(join(directory, 'src'), building, { recursive: true });
    for (const [path, text] of Object.entries(modules)) writeFileSync(join(building, path), text);
    writeFileSync(
      join(building, 'tsconfig.json'),
      // Only what the exports need. Other packages of the repository may share further modules.
      JSON.stringify({
        compilerOptions: OPTIONS,
        files: Object.values(exports).flatMap((module) => sourcesOf(building, module)),
      }),
    );
    for (const only of PASSES) execFileSync(process.execPath, [TSC, '-p', building, ...only], { stdio: 'inherit' });
    const built = join(building, 'dist');
    nameCompiledFiles(built);
    writeFileSync(join(built, 'package.json'), manifestOf(directory, exports));
    cpSync(join(directory, 'README.md'), join(built, 'README.md'));
    cpSync(join(ROOT, 'LICENSE'), join(built, 'LICENSE'));
    rmSync(target, { recursive: true, force: true });
    renameSync(built, target);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return target;
}

function sourcesOf(directory: string, module: string): string[] {
  return globSync(`${module}.{ts,tsx}`, { cwd: directory });
}

/** Rewrites the imports in declarations. TypeScript rewrites only those in JavaScript. */
function nameCompiledFiles(built: string): void {
  for (const path of globSync('**/*.d.ts', { cwd: built })) {
    const file = join(built, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.tsx?'/g, "$1.js'"));
  }
}

function manifestOf(directory: string, exports: Build['exports']): string {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Record<string, unknown>;
  const entries = Object.entries(exports).map(([path, module]) => [
    path,
    { types: `./${module}.d.ts`, default: `./${module}.js` },
  ]);
  const kept = KEPT.filter((field) => manifest[field] !== undefined).map((field) => [field, manifest[field]]);
  return `${JSON.stringify({ ...Object.fromEntries(kept), exports: Object.fromEntries(entries) }, null, 2)}\n`;
}
