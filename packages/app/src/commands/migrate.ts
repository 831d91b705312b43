import { Command } from 'commander';
import { printResult, withInstallation } from './session.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply pending database migrations (every other command does so first)')
    .option('--json', 'print one line of JSON: applied')
    .action(async ({ json }: { json?: boolean }) => {
      printResult({ applied: await withInstallation(({ applied }) => Promise.resolve(applied)) }, { json });
    });
}
