#!/usr/bin/env node
/** The command line of people who use a service and do not run one. */
import { Command } from 'commander';
import { BUILD_NAME } from '../src/build-name.ts';
import { remoteCommands } from '../src/commands/remote.ts';
import { runCommand } from '../src/run-command.ts';

const program = new Command('affiliate').version(BUILD_NAME).description('Calls a running affiliate program service.');
for (const command of remoteCommands()) program.addCommand(command);
await runCommand(program);
