import { Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import { readSecret } from './read-secret.ts';

export function profileOption(): Option {
  return new Option('--profile <name>', 'profile of `affiliate login`').default('default').env('AFFILIATE_PROFILE');
}

/** Returns the service of a profile. Its modules are loaded here, because most commands do not need them. */
export async function serviceOf(profile: string): Promise<RemoteService> {
  const [{ Profiles }, remote] = await Promise.all([import('../remote/profiles.ts'), import('../remote/remote-service.ts')]);
  return new remote.RemoteService(new Profiles(process.env).get(profile));
}

interface LoginOptions {
  profile: string;
  url: string;
  accountId: string;
  test?: true;
}

/** Commands that store how to reach a running service. */
export function profileCommands(): Command[] {
  const login = new Command('login')
    .description('store URL, account and API key of a running service; reads the key from standard input')
    .requiredOption('--url <url>', 'address of the service')
    .requiredOption('--account-id <id>', 'account of the key')
    .option('--test', 'act in test mode, with a key that has no mode of its own')
    .addOption(profileOption())
    .action(async ({ profile, url, accountId, test }: LoginOptions) => {
      const [{ Profiles }, remote] = await Promise.all([import('../remote/profiles.ts'), import('../remote/remote-service.ts')]);
      if (!URL.canParse(url)) throw new OperatorError(`${url} is not a URL. Use for example https://affiliates.example.com.`);
      const key = await readKey();
      const mode = test ? { livemode: false as const } : {};
      const entered = { url: new URL(url).origin, api_key: key, account_id: accountId, ...mode };
      // A wrong key is refused now, not by the first command that needs it.
      await new remote.RemoteService(entered).send({ method: 'GET', path: '/api/settings/v1/me' });
      const profiles = new Profiles(process.env);
      profiles.save(profile, entered);
      process.stdout.write(`Stored the profile ${profile} in ${profiles.path}.\n`);
    });
  const list = new Command('profiles')
    .description('list the stored profiles, without their keys')
    .option('--json', 'print one line of JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { Profiles } = await import('../remote/profiles.ts');
      const stored = new Profiles(process.env).list().map(([name, { api_key: _, ...profile }]) => ({ name, ...profile }));
      const lines = stored.map(
        ({ name, url, account_id, livemode }) => `${name}: ${account_id} at ${url}${livemode === false ? ', in test mode' : ''}`,
      );
      process.stdout.write(json ? `${JSON.stringify(stored)}\n` : lines.map((line) => `${line}\n`).join(''));
    });
  const logout = new Command('logout')
    .description('remove a stored profile')
    .addOption(profileOption())
    .action(async ({ profile }: { profile: string }) => {
      const { Profiles } = await import('../remote/profiles.ts');
      if (!new Profiles(process.env).remove(profile)) throw new OperatorError(`There is no profile ${profile}.`);
      process.stdout.write(`Removed the profile ${profile}.\n`);
    });
  return [login, list, logout];
}

/** Returns the API key of AFFILIATE_API_KEY or of standard input. */
async function readKey(): Promise<string> {
  return process.env['AFFILIATE_API_KEY'] || (await readSecret('API key')).trim();
}
