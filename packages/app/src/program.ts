import { Command } from 'commander';
import { BUILD_NAME } from './build-name.ts';
import { accountCommand } from './commands/account.ts';
import { apiKeyCommand } from './commands/api-key.ts';
import { apiCommand } from './commands/api.ts';
import { backupCommand, restoreCommand, stopPaymentsCommand } from './commands/backup.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { importCommand } from './commands/import.ts';
import { jobsCommand } from './commands/jobs.ts';
import { listenCommand } from './commands/listen.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { profileCommands } from './commands/profile.ts';
import { pspCommand } from './commands/psp.ts';
import { roleCommands } from './commands/roles.ts';
import { screeningCommand } from './commands/screening.ts';
import { secretsCommand } from './commands/secrets.ts';
import { triggerCommand } from './commands/trigger.ts';
import { userCommand } from './commands/user.ts';
import { OperatorError } from './operator-error.ts';

export const program = new Command('affiliate')
  .version(BUILD_NAME)
  .description(
    'Runs affiliate programs, with a REST API under /api/v1 and signed webhooks. Configured by environment variables; docs/configuration.md lists them.',
  )
  .option(
    '--env-file <file>',
    'read settings from a file, as systemd and Docker Compose do; it takes precedence over the environment',
  )
  .hook('preAction', async (_program, command) => {
    const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
    if (envFile === undefined) return;
    const { readEnvFile } = await import('./env-file.ts');
    // Node reads a file of this option, too, in its own way, so its values are replaced.
    Object.assign(process.env, readEnvFile(envFile));
  })
  .showHelpAfterError('(add --help to see the options)');
for (const command of [
  ...roleCommands(),
  mcpCommand(),
  migrateCommand(),
  accountCommand(),
  apiKeyCommand(),
  userCommand(),
  pspCommand(),
  jobsCommand(),
  secretsCommand(),
  screeningCommand(),
  backupCommand(),
  restoreCommand(),
  stopPaymentsCommand(),
  doctorCommand(),
  ...profileCommands(),
  apiCommand(),
  listenCommand(),
  eventsCommand(),
  triggerCommand(),
  importCommand(),
  completionCommand(),
]) {
  program.addCommand(command);
}

/** Runs the command given on the command line. An error is written to standard error and sets the exit code. */
export async function runProgram(): Promise<void> {
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
