import { ROLES, type Role } from '@affiliate/core/vocabulary';
import { Command, Option } from 'commander';
import { email } from './options.ts';
import { print, withInstallation } from './session.ts';

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
    .description('make a person a member of an account')
    .requiredOption('--account-id <id>', 'account to join')
    .requiredOption('--email <email>', 'e-mail address, which is also the login', email)
    .requiredOption('--password <password>', 'at least 8 characters; ignored when this person has a password already')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--json', 'print one line of JSON: user_id, account_id, email, role')
    .action(async ({ json, password, ...member }: CreateOptions) => {
      const { createMember } = await import('@affiliate/core');
      const user_id = await withInstallation(({ services }) => createMember(services, { ...member, password }));
      print({ user_id, account_id: member.accountId, email: member.email, role: member.role }, { json });
    });
  return user;
}
