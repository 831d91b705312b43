import { Argument, Command } from 'commander';

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that completes commands in a shell, e.g. `source <(affiliate completion bash)`')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(`${completionScript(command.parent!, shell)}\n`);
    });
  return command;
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Returns a script that completes commands and options in a shell. The names are those of this version of the program. */
function completionScript(program: Command, shell: Shell): string {
  const words = new Map<string, string[]>();
  collect(program, [], words);
  if (shell === 'fish')
    return [...words]
      .flatMap(([path, names]) => {
        const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
        return names.map((name) =>
          name.startsWith('--')
            ? `complete -c affiliate -n '${condition}' -l ${name.slice(2)}`
            : `complete -c affiliate -f -n '${condition}' -a ${name}`,
        );
      })
      .join('\n');
  const cases = [...words].map(([path, names]) => `    '${path}') words='${names.join(' ')}' ;;`).join('\n');
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_affiliate() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _affiliate affiliate`;
}

/** Collects the names that may follow each command. */
function collect(command: Command, path: string[], words: Map<string, string[]>): void {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  words.set(path.join(' '), [...command.commands.map((each) => each.name()), ...options, '--help']);
  for (const each of command.commands) collect(each, [...path, each.name()], words);
}
