import { ROLES, type Role } from '@affiliate/core/vocabulary';
import { Command, Option } from 'commander';
import { email } from './options.ts';
import { readSecret } from './read-secret.ts';
import { printResult, withInstallation } from './session.ts';

interface CreateOptions {
  accountId: string;
  email: string;
  role: Role;
  json?: boolean;
}

export function userCommand(): Command {
  const user = new Command('user').description('people who sign in');
  user
    .command('create')
    .description('add a person to an account as a member; reads the password of a new person from standard input')
    .requiredOption('--account-id <id>', 'account to add them to')
    .requiredOption('--email <email>', 'email address, used to sign in', email)
    .addOption(new Option('--role <role>', 'role in the account').choices(ROLES).makeOptionMandatory())
    .option('--json', 'print one line of JSON: user_id, account_id, email, role')
    .action(async ({ json, ...member }: CreateOptions) => {
      const { createMember } = await import('@affiliate/core');
      const password = await readSecret('Password');
      const user_id = await withInstallation(({ services }) => createMember(services, { ...member, password }));
      printResult({ user_id, account_id: member.accountId, email: member.email, role: member.role }, { json });
    });
  user
    .command('reset-password')
    .description('give a person another password, without email; reads it from standard input; ends all sessions of the person')
    .requiredOption('--email <email>', 'email address with which they sign in', email)
    .option('--json', 'print one line of JSON: user_id, email')
    .action(async ({ json, email: address }: { json?: boolean; email: string }) => {
      const { resetPassword } = await import('@affiliate/core');
      const password = await readSecret('New password');
      const user_id = await withInstallation(({ services }) => resetPassword(services, { email: address, password }));
      printResult({ user_id, email: address }, json === undefined ? {} : { json });
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
