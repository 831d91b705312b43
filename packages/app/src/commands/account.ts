import { Command } from 'commander';
import { currency, email, name } from './options.ts';
import { print, withInstallation } from './session.ts';

interface CreateOptions {
  name: string;
  ownerEmail: string;
  ownerPassword: string;
  currency: string;
  json?: boolean;
}

export function accountCommand(): Command {
  const account = new Command('account').description('merchants: everything else belongs to one');
  account
    .command('create')
    .description('create an account, its owner, and an API key that may do everything (shown once)')
    .requiredOption('--name <name>', 'name of the account', name)
    .requiredOption('--owner-email <email>', 'e-mail address of the owner', email)
    .requiredOption('--owner-password <password>', 'at least 8 characters; ignored when this person has a password already')
    .option('--currency <code>', 'default currency, ISO-4217', currency, 'USD')
    .option('--json', 'print one line of JSON: account_id, user_id, api_key')
    .action(async ({ json, ...input }: CreateOptions) => {
      const { createAccount } = await import('@affiliate/core');
      print(await withInstallation(({ services }) => createAccount(services, input)), { json });
    });
  return account;
}
