import { Argument, Command } from 'commander';
import { SHELLS, type Shell, completionScript } from '../shell-completion.ts';

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that completes commands in a shell, e.g. `source <(affiliate completion bash)`')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(`${completionScript(command.parent!, shell)}\n`);
    });
  return command;
}
