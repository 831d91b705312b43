import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** How programs of other people find modules. */
export const RESOLUTIONS = {
  NodeNext: { module: 'nodenext' },
  Bundler: { module: 'preserve', moduleResolution: 'bundler' },
} as const;

/** A project outside this repository that has installed a built package. */
export class Stranger {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Creates a project with copies of built packages. Their dependencies, and `others`, are linked instead of downloaded.
   *
   * @param others packages that the project also uses, with the directory of a package that depends on them
   */
  static async with(packages: readonly string[], others: Record<string, string> = {}): Promise<Stranger> {
    const stranger = new Stranger(await mkdtemp(join(tmpdir(), 'affiliate-stranger-')));
    for (const dist of packages) {
      const { name, dependencies = {} } = await manifestOf(dist);
      await cp(dist, join(stranger.directory, 'node_modules', name), { recursive: true });
      for (const dependency of Object.keys(dependencies)) await stranger.#link(dependency, dist);
    }
    for (const [name, from] of Object.entries(others)) await stranger.#link(name, from);
    await stranger.write({ 'package.json': JSON.stringify({ type: 'module', private: true }) });
    return stranger;
  }

  async #link(name: string, from: string): Promise<void> {
    const link = join(this.directory, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(from.replace(/\/dist$/, ''), 'node_modules', name), link);
  }

  async write(files: Record<string, string>): Promise<void> {
    for (const [path, content] of Object.entries(files)) await writeFile(join(this.directory, path), content);
  }

  /** Type-checks files with strict settings, and all declarations that they need. Returns the errors. */
  async errorsIn(files: Record<string, string>, resolution: keyof typeof RESOLUTIONS, types: string[] = []): Promise<string[]> {
    const compilerOptions = {
      ...RESOLUTIONS[resolution],
      target: 'es2022',
      // The declarations of tRPC need the types of disposable resources.
      lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      jsx: 'react-jsx',
    };
    await this.write({ ...files, 'tsconfig.json': JSON.stringify({ compilerOptions, files: Object.keys(files) }) });
    const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', '.'], { cwd: this.directory }).catch(
      (error: { stdout: string }) => error,
    );
    return stdout.split('\n').filter((line) => line.includes('error TS'));
  }

  /** Runs a file with Node, and returns its output. */
  async run(file: string, env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: this.directory,
      env: { ...process.env, ...env },
    });
    return stdout;
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

export async function manifestOf(dist: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, 'package.json'), 'utf8')) as Manifest;
}
