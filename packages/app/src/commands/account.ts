import { Command } from 'commander';
import { currency, email, name } from './options.ts';
import { printResult, withInstallation } from './session.ts';

interface CreateOptions {
  name: string;
  ownerEmail: string;
  ownerPassword: string;
  currency: string;
  json?: boolean;
}

export function accountCommand(): Command {
  const account = new Command('account').description('merchant accounts, which own all other records');
  account
    .command('create')
    .description('create an account with its owner and an API key with all permissions (shown once)')
    .requiredOption('--name <name>', 'name of the account', name)
    .requiredOption('--owner-email <email>', 'email address of the owner', email)
    .requiredOption('--owner-password <password>', '8 to 128 characters; ignored if this person already has a password')
    .option('--currency <code>', 'default currency, ISO-4217', currency, 'USD')
    .option('--json', 'print one line of JSON: account_id, user_id, api_key')
    .action(async ({ json, ...input }: CreateOptions) => {
      const { createAccount } = await import('@affiliate/core');
      printResult({ ...(await withInstallation(({ services }) => createAccount(services, input))) }, { json });
    });
  return account;
}
