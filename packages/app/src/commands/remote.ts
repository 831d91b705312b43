import type { Command } from 'commander';
import { apiCommand } from './api.ts';
import { eventsCommand } from './events.ts';
import { importCommand } from './import.ts';
import { listenCommand } from './listen.ts';
import { profileCommands } from './profile.ts';
import { triggerCommand } from './trigger.ts';

/** The commands that call a running service. They need no service and no database on this machine, and are a package of their own (`build/command-line.js`). */
export function remoteCommands(): Command[] {
  return [...profileCommands(), apiCommand(), listenCommand(), eventsCommand(), triggerCommand(), importCommand()];
}
