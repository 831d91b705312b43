import { Command } from 'commander';
import { printResult, withInstallation } from './session.ts';

export function secretsCommand(): Command {
  const secrets = new Command('secrets').description('stored secrets');
  secrets
    .command('reencrypt')
    .description(
      'encrypt all stored secrets again with SECRET_KEY; reads those encrypted with SECRET_KEY_PREVIOUS; safe to interrupt and to repeat',
    )
    .option('--json', 'print one line of JSON: reencrypted, unreadable')
    .action(async ({ json }: { json?: boolean }) => {
      const { reencryptSecrets } = await import('@affiliate/core');
      printResult({ ...(await withInstallation(({ services }) => reencryptSecrets(services))) }, { json });
    });
  return secrets;
}
