import { Command } from 'commander';
import { print, withInstallation } from './session.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database to the schema of this version (every other command does so as well)')
    .option('--json', 'print one line of JSON: applied')
    .action(async ({ json }: { json?: boolean }) => {
      print({ applied: await withInstallation(({ applied }) => Promise.resolve(applied)) }, { json });
    });
}
