import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server that runs in a process of its own. Counts the statements that it sends to PostgreSQL. */
export interface Server {
  origin: string;
  pid: number;
  /** Returns the number of statements sent to PostgreSQL since the start, or 0 if they are not counted. */
  statements(): Promise<number>;
  /** Returns the number of statements that pg-boss has sent since the start. They are not part of `statements`. */
  jobQueueStatements(): Promise<number>;
  stop(): Promise<void>;
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const COUNT = ['--import', path('count-statements.ts')];
/** Node options that make a process end when the benchmark ends. */
export const END_WITH_PARENT = ['--import', path('end-with-parent.ts')];
const SOURCES = path('../../packages/app/src/cli.js');
const UNLIMITED = '100000000';
/** The same secret key as in `benchServices`. */
const SECRET = 'the secret key of the benchmarks';

/** Starts the limit server. */
export async function startLimit(url: string, settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const child = fork(path('limit/server.ts'), { execArgv: COUNT, env: { ...process.env, DATABASE_URL: url, ...settings } });
  const [{ port }] = (await Promise.race([once(child, 'message'), failed(child)])) as [{ port: number }];
  return serverOf(child, `http://127.0.0.1:${port}`);
}

interface ProcessOptions {
  /** Path of the command-line program to run, if it is another version or the production build. */
  cli?: string | undefined;
  /** Node options. The default makes the process count its SQL statements. */
  nodeOptions?: string[] | undefined;
  /** Further settings. */
  env?: Readonly<Record<string, string>> | undefined;
}

interface ServiceOptions extends ProcessOptions {
  /** Directory for a CPU profile of each measured round. */
  profile?: string | undefined;
  /** True to wait until the process has preloaded its code, ten seconds after its start. Default: true. */
  isPreloaded?: boolean | undefined;
}

/** Starts a `rest` process. */
export async function startService(
  url: string,
  { profile, cli = SOURCES, nodeOptions, isPreloaded = true, env = {} }: ServiceOptions = {},
): Promise<Server> {
  const child = fork(cli, ['rest'], {
    silent: true,
    execArgv: [
      ...END_WITH_PARENT,
      ...(nodeOptions ?? COUNT),
      ...(profile === undefined ? [] : ['--import', path('profile-rounds.ts')]),
    ],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: SECRET,
      PORT: '0',
      ...(profile === undefined ? {} : { PROFILE_DIRECTORY: profile }),
      LOG_LEVEL: 'debug',
      RATE_LIMIT_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_PUBLIC_PER_MINUTE: UNLIMITED,
      ...env,
    },
  });
  child.stderr!.pipe(process.stderr);
  // Waits until the process has preloaded its code, so that no measured request includes that work.
  const ready = new Promise<string>((resolve) => {
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += output.includes('"preloaded"') ? '' : chunk;
      const [, found] = /"url":"([^"]+)","msg":"listening"/.exec(output) ?? [];
      if (found && (!isPreloaded || output.includes('"preloaded"'))) resolve(found);
    });
  });
  return serverOf(child, await Promise.race([ready, failed(child)]), nodeOptions === undefined);
}

/** Starts a worker process that may post webhooks to this machine. */
export async function startWorker(url: string, { cli = SOURCES, nodeOptions, env = {} }: ProcessOptions = {}): Promise<Server> {
  const child = fork(cli, ['worker'], {
    silent: true,
    execArgv: [...END_WITH_PARENT, ...(nodeOptions ?? COUNT)],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: SECRET,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...env,
    },
  });
  child.stderr!.pipe(process.stderr);
  const ready = new Promise<void>((resolve) => {
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output = output.slice(-1_000) + chunk;
      if (output.includes('"worker started"')) resolve();
    });
  });
  await Promise.race([ready, failed(child)]);
  return serverOf(child, '', nodeOptions === undefined);
}

/** Starts a webhook receiver that answers at once. */
export async function startReceiver(): Promise<{ url: string; stop(): void }> {
  const child = fork(path('deliveries/receiver.ts'));
  const [{ port }] = (await Promise.race([once(child, 'message'), failed(child)])) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}/hook`, stop: () => void child.kill() };
}

async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The server did not start.');
}

function serverOf(child: ChildProcess, origin: string, counts = true): Server {
  const counted = async () => {
    if (!counts) return { statements: 0, ofJobQueue: 0 };
    const answer = once(child, 'message') as Promise<[{ statements: number; ofJobQueue: number }]>;
    child.send('statements');
    return (await answer)[0];
  };
  return {
    origin,
    pid: child.pid!,
    statements: async () => (await counted()).statements,
    jobQueueStatements: async () => (await counted()).ofJobQueue,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
