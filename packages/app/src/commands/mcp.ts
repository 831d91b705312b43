import { ApiError, type Services } from '@affiliate/core';
import { mcpOverStdio } from '@affiliate/mcp';
import { JobQueue } from '@affiliate/worker';
import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { openInstallation } from '../installation.ts';
import { untilAskedToEnd } from '../lifetime.ts';
import { openLog } from '../log.ts';
import { OperatorError } from '../operator-error.ts';

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve one AI assistant on standard input and output (MCP); AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY says on whose behalf',
    )
    .action(serveAssistant);
}

/** Standard output belongs to the protocol: the log goes to standard error. */
async function serveAssistant(): Promise<void> {
  const asked = untilAskedToEnd();
  const configuration = readConfiguration(process.env);
  const secret = configuration.AFFILIATE_CONNECTOR_TOKEN ?? configuration.AFFILIATE_API_KEY;
  if (secret === undefined) throw new OperatorError('Set AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY to say who calls');
  const log = openLog(configuration.LOG_LEVEL, 'stderr');
  await using running = new AsyncDisposableStack();
  const installation = await openInstallation(configuration, log);
  running.defer(() => installation.close());
  const queue = await JobQueue.open({ url: installation.databaseUrl, log });
  running.defer(() => queue.close());
  const services: Services = { ...installation.services, wakeUps: queue.wakeUps };
  try {
    await mcpOverStdio(services, { secret, input: process.stdin, output: process.stdout }, asked);
  } catch (error) {
    throw error instanceof ApiError
      ? new OperatorError('AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY is not valid', { cause: error })
      : error;
  }
}
