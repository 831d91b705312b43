import { ROLES, type Role } from '@affiliate/core/vocabulary';
import { Command, Option } from 'commander';
import { email } from './options.ts';
import { printResult, withInstallation } from './session.ts';

interface CreateOptions {
  accountId: string;
  email: string;
  password: string;
  role: Role;
  json?: boolean;
}

export function userCommand(): Command {
  const user = new Command('user').description('people who sign in');
  user
    .command('create')
    .description('add a person to an account as a member')
    .requiredOption('--account-id <id>', 'account to add them to')
    .requiredOption('--email <email>', 'email address, used to sign in', email)
    .requiredOption('--password <password>', '8 to 128 characters; ignored if this person already has a password')
    .addOption(new Option('--role <role>', 'role in the account').choices(ROLES).makeOptionMandatory())
    .option('--json', 'print one line of JSON: user_id, account_id, email, role')
    .action(async ({ json, password, ...member }: CreateOptions) => {
      const { createMember } = await import('@affiliate/core');
      const user_id = await withInstallation(({ services }) => createMember(services, { ...member, password }));
      printResult({ user_id, account_id: member.accountId, email: member.email, role: member.role }, { json });
    });
  user
    .command('remove-second-factor')
    .description('let a person who lost their second factor sign in without it')
    .requiredOption('--email <email>', 'email address with which they sign in', email)
    .option('--json', 'print one line of JSON: user_id, email')
    .action(async ({ json, email: address }: { json?: boolean; email: string }) => {
      const { removeSecondFactorOf } = await import('@affiliate/core');
      const user_id = await withInstallation(({ services }) => removeSecondFactorOf(services, address));
      printResult({ user_id, email: address }, json === undefined ? {} : { json });
    });
  return user;
}
