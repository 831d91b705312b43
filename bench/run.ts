/**
 * Runs a benchmark by its name. Without a name, lists the benchmarks.
 *
 *   npx -y pnpm@12 bench <name> [its options]
 */
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';

// pnpm passes a leading `--` on to the script.
const [name, ...options] = process.argv.slice(2).filter((argument) => argument !== '--');
const file = join(import.meta.dirname, `${name}.ts`);
if (name === undefined || name === 'run' || !/^[\w-]+$/.test(name) || !existsSync(file)) {
  const names = globSync('*.ts', { cwd: import.meta.dirname }).map((path) => basename(path, '.ts'));
  process.stderr.write(
    `Name a benchmark: ${names
      .filter((each) => each !== 'run')
      .toSorted()
      .join(', ')}\n`,
  );
  process.exit(name === undefined ? 0 : 1);
}
process.argv.splice(1, process.argv.length, file, ...options);
await import(file);
