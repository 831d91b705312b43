import { Command } from 'commander';
import { BUILD_NAME } from './build-name.ts';
import { accountCommand } from './commands/account.ts';
import { apiKeyCommand } from './commands/api-key.ts';
import { backupCommand, restoreCommand, stopPaymentsCommand } from './commands/backup.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { jobsCommand } from './commands/jobs.ts';
import { migrateCommand } from './commands/migrate.ts';
import { pspCommand } from './commands/psp.ts';
import { remoteCommands } from './commands/remote.ts';
import { mcpCommand, roleCommands } from './commands/roles.ts';
import { screeningCommand } from './commands/screening.ts';
import { secretsCommand } from './commands/secrets.ts';
import { userCommand } from './commands/user.ts';
import { runCommand } from './run-command.ts';

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
  ...remoteCommands(),
  completionCommand(),
]) {
  program.addCommand(command);
}

export function runProgram(): Promise<void> {
  return runCommand(program);
}
