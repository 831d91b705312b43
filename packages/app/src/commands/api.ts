import { Argument, Command } from 'commander';
import { profileOption, serviceOf } from './profile.ts';

interface ApiOptions {
  profile: string;
  data?: string;
  idempotencyKey?: string;
  json?: boolean;
}

/** Calls any operation of the REST APIs of a running service. */
export function apiCommand(): Command {
  return new Command('api')
    .description('call the REST APIs of a running service, e.g. `affiliate api get affiliates --limit 5`')
    .addArgument(new Argument('<method>', 'HTTP method').choices(['get', 'post', 'patch', 'put', 'delete']))
    .argument(
      '<path>',
      'path, e.g. affiliates, affiliates/aff_1/timeline, settings/webhook_endpoints, track/sales or /api/v1/payouts',
    )
    .argument('[fields...]', 'fields of the query or the body, e.g. --limit 5 --state due')
    .addOption(profileOption())
    .option('--data <json>', 'body as JSON; - reads standard input')
    .option('--idempotency-key <key>', 'makes a write take effect once, however often it is sent')
    .option('--json', 'print JSON in one line')
    .allowUnknownOption()
    .action(async (method: string, path: string, fields: string[], { profile, data, idempotencyKey, json }: ApiOptions) => {
      const { bodyOf, fieldsOf, pathOf } = await import('../remote/request-arguments.ts');
      const service = await serviceOf(profile);
      const named = fieldsOf(fields);
      const inQuery = method === 'get' || method === 'delete';
      const body = data === undefined ? (inQuery ? undefined : bodyOf(named)) : await readData(data);
      const answer = await service.send({
        method: method.toUpperCase(),
        path: pathOf(path),
        query: inQuery ? named : {},
        body,
        idempotencyKey,
      });
      if (answer !== null) process.stdout.write(`${JSON.stringify(answer, null, json ? undefined : 2)}\n`);
    });
}

async function readData(data: string): Promise<unknown> {
  const { OperatorError } = await import('../errors.ts');
  const { text } = await import('node:stream/consumers');
  try {
    return JSON.parse(data === '-' ? await text(process.stdin) : data);
  } catch (cause) {
    throw new OperatorError('The body is not JSON.', { cause });
  }
}
