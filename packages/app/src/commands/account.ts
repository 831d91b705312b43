import { Command } from 'commander';
import { currency, email, name } from './options.ts';
import { readSecret } from './read-secret.ts';
import { printResult, withInstallation } from './session.ts';

interface CreateOptions {
  name: string;
  ownerEmail: string;
  currency: string;
  json?: boolean;
}

export function accountCommand(): Command {
  const account = new Command('account').description('merchant accounts, which own all other records');
  account
    .command('create')
    .description(
      'create an account with its owner and an API key with all permissions (shown once); reads the password of the owner from standard input',
    )
    .requiredOption('--name <name>', 'name of the account', name)
    .requiredOption('--owner-email <email>', 'email address of the owner', email)
    .option('--currency <code>', 'default currency, ISO-4217', currency, 'USD')
    .option('--json', 'print one line of JSON: account_id, user_id, api_key')
    .action(async ({ json, ...input }: CreateOptions) => {
      const { createAccount } = await import('@affiliate/core');
      const ownerPassword = await readSecret('Password of the owner');
      const created = await withInstallation(({ services }) => createAccount(services, { ...input, ownerPassword }));
      printResult({ ...created }, { json });
    });
  account
    .command('list')
    .description('list the accounts with their owners')
    .option('--json', 'print one line of JSON: a list of id, name, currency, created_at, owners')
    .action(async ({ json }: { json?: boolean }) => {
      const { listAccounts } = await import('@affiliate/core');
      const accounts = await withInstallation(({ services }) => listAccounts(services));
      const lines = accounts.map(
        ({ id, name: called, currency: code, owners }) => `${id} ${called} (${code}): ${owners.join(', ')}`,
      );
      process.stdout.write(json ? `${JSON.stringify(accounts)}\n` : lines.map((line) => `${line}\n`).join(''));
    });
  return account;
}
