import { readConfiguration } from '../configuration.ts';
import { OperatorError } from '../errors.ts';
import type { Installation } from '../installation.ts';

/**
 * Runs one command on the installation, even while the service is running. Only warnings are logged, to standard error.
 *
 * @throws OperatorError if the operation is refused
 */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const configuration = readConfiguration(process.env);
  const [{ DomainError }, { onDatabase, openInstallation }, { openLog }] = await Promise.all([
    import('@affiliate/core'),
    import('../installation.ts'),
    import('../log.ts'),
  ]);
  const installation = await openInstallation(configuration, openLog('warn', 'stderr'));
  try {
    return await onDatabase(installation.databaseUrl, () => work(installation));
  } catch (error) {
    throw error instanceof DomainError ? new OperatorError(error.message, { cause: error }) : error;
  } finally {
    await installation.close();
  }
}

/** Prints the result of a command: one line of JSON, or one line per field for people. */
export function printResult(result: Record<string, unknown>, { json = false }: { json?: boolean }): void {
  const lines = Object.entries(result).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  process.stdout.write(`${json ? JSON.stringify(result) : lines.join('\n')}\n`);
}
