#!/usr/bin/env node
/** The command line of people who use a service and do not run one: the commands that call a running service, as in `src/program.ts`. */
import { Command } from 'commander';
import { BUILD_NAME } from '../src/build-name.ts';
import { apiCommand } from '../src/commands/api.ts';
import { eventsCommand } from '../src/commands/events.ts';
import { importCommand } from '../src/commands/import.ts';
import { listenCommand } from '../src/commands/listen.ts';
import { profileCommands } from '../src/commands/profile.ts';
import { triggerCommand } from '../src/commands/trigger.ts';
import { runCommand } from '../src/run-command.ts';

const program = new Command('affiliate').version(BUILD_NAME).description('Calls a running affiliate program service.');
for (const command of [...profileCommands(), apiCommand(), listenCommand(), eventsCommand(), triggerCommand(), importCommand()])
  program.addCommand(command);
await runCommand(program);
