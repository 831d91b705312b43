import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Installation } from './installation.ts';
import type { Fault } from './storm.ts';

const HOUR_MS = 3_600_000;

/** Waits until all processes work, kills some of them, and waits until each has been replaced. */
export async function kill(installation: Pick<Installation, 'restarts' | 'allUp'>, choose: () => ChildProcess[]): Promise<void> {
  const restarts = on(installation.restarts, 'restart');
  await installation.allUp();
  const killed = new Set(choose());
  for (const child of killed) child.kill('SIGKILL');
  while (killed.size > 0) {
    const { value } = (await restarts.next()) as IteratorYieldResult<[ChildProcess]>;
    killed.delete(value[0]);
  }
  await restarts.return?.();
}

/** Every fault that can be caused without privileges and on one machine. */
export const FAULTS: Fault[] = [
  {
    name: 'rest killed',
    strike: (installation) => kill(installation, () => [installation.rest.child]),
  },
  {
    name: 'both workers killed, three times',
    strike: async (installation) => {
      for (let time = 0; time < 3; time += 1) {
        await kill(installation, () => installation.workers);
        await delay(2_000);
      }
    },
  },
  {
    name: 'PostgreSQL killed',
    // Nothing needs to be undone, because the installation restarts PostgreSQL.
    strike: async ({ postmasterPid }) => void process.kill(await postmasterPid(), 'SIGKILL'),
  },
  {
    name: 'PostgreSQL restarted',
    strike: async ({ postmasterPid }) => void process.kill(await postmasterPid(), 'SIGINT'),
  },
  {
    name: 'all sessions terminated, every 200 ms for 4 s',
    strike: async ({ ask }) => {
      for (let time = 0; time < 20; time += 1) {
        await ask(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await delay(200);
      }
    },
  },
  {
    name: 'no connections left for 5 s',
    strike: async ({ databaseUrl, ask }) => {
      const taken: Client[] = [];
      const take = async () => {
        for (;;) {
          const client = new Client({ connectionString: databaseUrl });
          client.on('error', () => undefined);
          await client.connect();
          taken.push(client);
        }
      };
      // Takes connections until the server refuses another one.
      await take().catch(() => undefined);
      await taken.pop()!.end();
      await ask(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> '' and pid <> pg_backend_pid()`,
      );
      await take().catch(() => undefined);
      await delay(5_000);
      await Promise.all(taken.map((client) => client.end()));
    },
  },
  {
    name: 'read-only for 4 s',
    strike: async ({ ask }) => {
      await ask('alter system set default_transaction_read_only = on');
      await ask('select pg_reload_conf()');
      await delay(4_000);
      await ask('alter system reset default_transaction_read_only');
      await ask('select pg_reload_conf()');
    },
  },
  {
    // Tables cannot grow. If the write-ahead log cannot grow either, PostgreSQL exits and restarts until there is space.
    name: 'disk of PostgreSQL full for 6 s',
    obstacle: ({ disk }) => (disk === null ? 'Only root may mount a file system of limited size.' : null),
    strike: async ({ disk }) => {
      await disk!.fill();
      await delay(6_000);
      await disk!.free();
    },
  },
  {
    name: 'network to PostgreSQL cut for 4 s',
    strike: async ({ proxy }) => {
      proxy.cut();
      await delay(4_000);
      proxy.recover();
    },
  },
  {
    name: 'connections to PostgreSQL silent',
    strike: async ({ proxy }) => proxy.swallowConnections(),
  },
  {
    // The server's sessions survive the silence until PostgreSQL ends them, because neither side sees the connection close.
    name: 'network to PostgreSQL silent for 10 s',
    strike: async ({ proxy }) => {
      proxy.swallowEverything();
      await delay(10_000);
      proxy.recover();
    },
  },
  {
    name: '250 ms each way to PostgreSQL for 10 s',
    strike: async ({ proxy }) => {
      proxy.delay(250);
      await delay(10_000);
      proxy.recover();
    },
  },
  {
    name: 'a worker stopped for 60 s',
    strike: async ({ workers }) => {
      workers[0]!.kill('SIGSTOP');
      await delay(60_000);
      workers[0]!.kill('SIGCONT');
    },
  },
  {
    name: 'clocks of the workers one hour ahead for 5 s',
    strike: ({ moveClock }) => moved(moveClock, HOUR_MS),
  },
  {
    name: 'clocks of the workers one hour behind for 5 s',
    strike: ({ moveClock }) => moved(moveClock, -HOUR_MS),
  },
];

async function moved(moveClock: (milliseconds: number) => Promise<void>, milliseconds: number): Promise<void> {
  await moveClock(milliseconds);
  await delay(5_000);
  await moveClock(0);
}

/** The only fault for which the ordinary run has time. Other tests kill the program or silence its connections. */
export const SHORT_FAULTS: Fault[] = FAULTS.filter(({ name }) => name === 'PostgreSQL killed');
