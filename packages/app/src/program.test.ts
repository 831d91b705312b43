import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { program } from './program.ts';

it('docs/operations.md lists every command with all its options', () => {
  const manual = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const section = manual.split('\n## Commands\n')[1]!.split('\n## ')[0]!;
  const listed = [...section.matchAll(/^\| `(affiliate .*?)` \| .+ \|$/gm)].map(([, usage]) => {
    const [command] = usage!.split(/ \[?--/);
    return [command, ...(usage!.match(/--[\w-]+/g) ?? []).toSorted()].join(' ');
  });
  expect(new Set(listed)).toEqual(new Set(usagesOf(program, 'affiliate')));
});

function usagesOf(command: Command, name: string): string[] {
  if (command.commands.length > 0) return command.commands.flatMap((each) => usagesOf(each, `${name} ${each.name()}`));
  const names = command.registeredArguments.map((argument) => argument.name().toUpperCase());
  return [[name, ...names, ...command.options.map(({ long }) => long!).toSorted()].join(' ')];
}
