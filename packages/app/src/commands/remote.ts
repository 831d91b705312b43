import type { Command } from 'commander';
import { apiCommand } from './api.ts';
import { eventsCommand, listenCommand, triggerCommand } from './events.ts';
import { importCommand } from './import.ts';
import { profileCommands } from './profile.ts';

/** The commands that call a running service. They need no service and no database on this machine, and are a package of their own (`build/command-line.js`). */
export function remoteCommands(): Command[] {
  return [...profileCommands(), apiCommand(), listenCommand(), eventsCommand(), triggerCommand(), importCommand()];
}
