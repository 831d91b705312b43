import { PERMISSION_NAMES, type PermissionMap } from '@affiliate/core/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { name } from './options.ts';
import { printResult, withInstallation } from './session.ts';

interface CreateOptions {
  accountId: string;
  name: string;
  permissions: PermissionMap;
  json?: boolean;
}

export function apiKeyCommand(): Command {
  const apiKey = new Command('api-key').description('API keys of an account');
  apiKey
    .command('create')
    .description('create an API key (shown once)')
    .requiredOption('--account-id <id>', 'account of the key')
    .requiredOption('--name <name>', 'what the key is for', name)
    .option('--permissions <json>', 'permissions as JSON, e.g. \'{"v1.affiliates.read":true}\'', permissions, {
      all: true,
    })
    .option('--json', 'print one line of JSON: id, account_id, name, permissions, api_key')
    .action(async ({ json, accountId, name, permissions }: CreateOptions) => {
      const { issueApiKey } = await import('@affiliate/core');
      const { id, api_key } = await withInstallation(({ services }) => issueApiKey(services, { accountId, name, permissions }));
      printResult({ id, account_id: accountId, name, permissions, api_key }, { json });
    });
  return apiKey;
}

const Permissions = z.partialRecord(z.enum(PERMISSION_NAMES as [string, ...string[]]), z.boolean());

function permissions(text: string): PermissionMap {
  try {
    return Permissions.parse(JSON.parse(text)) as PermissionMap;
  } catch (error) {
    const reason =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
        : 'It is not JSON.';
    throw new InvalidArgumentError(reason);
  }
}
