import { DomainError } from '@affiliate/core';
import { mcpOverStdio } from '@affiliate/mcp/stdio';
import type { Configuration } from './configuration.ts';
import { OperatorError } from './errors.ts';
import { openInstallation } from './installation.ts';
import { openLog } from './log.ts';

/**
 * Serves one assistant until its input ends or `shutdown` settles. The log goes to standard error, because standard output carries the
 * protocol.
 */
export async function serveAssistant(configuration: Configuration, secret: string, shutdown: Promise<unknown>): Promise<void> {
  const log = openLog(configuration.LOG_LEVEL, 'stderr');
  await using running = new AsyncDisposableStack();
  const installation = await openInstallation(configuration, log);
  running.defer(() => installation.close());
  try {
    await mcpOverStdio(installation.services, { secret, input: process.stdin, output: process.stdout }, shutdown);
  } catch (error) {
    throw error instanceof DomainError
      ? new OperatorError('The credential in AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY is unknown, revoked or expired.', {
          cause: error,
        })
      : error;
  }
}
