import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { printResult, withInstallation } from './session.ts';

const PASSPHRASE = 'BACKUP_PASSPHRASE encrypts the secret key in it';

export function backupCommand(): Command {
  return new Command('backup')
    .description(`write the database and the secret key into one file; the service may keep running; ${PASSPHRASE}`)
    .argument('<file>', 'file to create, e.g. affiliate-2026-11-22.backup; - for standard output')
    .option('--json', 'print one line of JSON: file, bytes, tables, rows, migration')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const configuration = readConfiguration(process.env);
      const { backup } = await import('../backup/backup.ts');
      const result = await backup(configuration, file);
      // Standard output is the backup itself.
      if (file !== '-') printResult({ ...result }, { json });
      else
        process.stderr.write(
          `${json ? JSON.stringify(result) : `backup complete: ${result.rows} rows, ${result.bytes} bytes`}\n`,
        );
    });
}

export function stopPaymentsCommand(): Command {
  return new Command('stop-payments')
    .description('stop all payments by services that pay, after a restore to a point in time; people let them go on')
    .option('--json', 'print one line of JSON: payments_stopped')
    .action(async ({ json }: { json?: boolean }) => {
      const { stopPayments } = await import('../backup/stop-payments.ts');
      printResult({ payments_stopped: await withInstallation(({ services }) => stopPayments(services.database)) }, { json });
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a backup into an empty DATA_DIR or an empty database; needs the BACKUP_PASSPHRASE it was made with')
    .argument('<file>', 'file that `affiliate backup` created')
    .option('--json', 'print one line of JSON: taken_at, tables, rows, applied, payments_stopped, secret_key_file')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const configuration = readConfiguration(process.env, { needsSecretKey: false });
      const { restore } = await import('../backup/restore.ts');
      const result = await restore(configuration, file);
      if (configuration.DATABASE_URL !== undefined && result.secret_key_file !== null) {
        process.stderr.write(`Set SECRET_KEY to the content of ${result.secret_key_file} before you start the service.\n`);
      }
      if (result.payments_stopped > 0) {
        process.stderr.write(
          `Payments of ${result.payments_stopped} accounts are stopped. Compare them with the services that pay, then let them go on under Settings, Payout methods.\n`,
        );
      }
      printResult({ ...result }, { json });
    });
}
