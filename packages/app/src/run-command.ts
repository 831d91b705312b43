import type { Command } from 'commander';
import { OperatorError } from './errors.ts';

/** Runs the command given on the command line. An error is written to standard error and sets the exit code. */
export async function runCommand(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${error instanceof OperatorError ? error.message : describe(error)}\n`);
    process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
  }
}

/** Describes an error that nobody expected in one line; with LOG_LEVEL=debug, with its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env['LOG_LEVEL'] === 'debug') return error.stack ?? error.message;
  return `Unexpected error: ${error.message.split('\n')[0]} (LOG_LEVEL=debug shows where it occurred.)`;
}
