import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, which counts the statements that it sends. */
export interface Server {
  origin: string;
  pid: number;
  /** Statements sent to PostgreSQL since the start. */
  statements(): Promise<number>;
  stop(): Promise<void>;
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const COUNT = ['--import', path('count-statements.ts')];
const UNLIMITED = '100000000';
/** As in `benchServices`. */
const SECRET = 'the secret key of the benchmarks';

export async function startLimit(url: string): Promise<Server> {
  const child = fork(path('limit/server.ts'), { execArgv: COUNT, env: { ...process.env, DATABASE_URL: url } });
  const [{ port }] = (await Promise.race([once(child, 'message'), failed(child)])) as [{ port: number }];
  return serverOf(child, `http://127.0.0.1:${port}`);
}

/**
 * @param profile directory for a CPU profile of each measured round
 * @param cli command line of another version
 */
export async function startService(
  url: string,
  { profile, cli = path('../packages/app/src/cli.js') }: { profile?: string | undefined; cli?: string } = {},
): Promise<Server> {
  const child = fork(cli, ['rest'], {
    silent: true,
    execArgv: [...COUNT, ...(profile === undefined ? [] : ['--import', path('profile-rounds.ts')])],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: SECRET,
      PORT: '0',
      ...(profile === undefined ? {} : { PROFILE_DIRECTORY: profile }),
      LOG_LEVEL: 'debug',
      RATE_LIMIT_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_PUBLIC_PER_MINUTE: UNLIMITED,
    },
  });
  child.stderr!.pipe(process.stderr);
  // Some seconds after its start the process loads more code ahead, which must not count into any request.
  const ready = new Promise<string>((resolve) => {
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += output.includes('"preloaded"') ? '' : chunk;
      const [, found] = /"url":"([^"]+)","msg":"listening"/.exec(output) ?? [];
      if (found && output.includes('"preloaded"')) resolve(found);
    });
  });
  return serverOf(child, await Promise.race([ready, failed(child)]));
}

/** A worker process that posts webhooks to this machine. */
export async function startWorker(url: string): Promise<Server> {
  const child = fork(path('../packages/app/src/cli.js'), ['worker'], {
    silent: true,
    execArgv: COUNT,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: SECRET,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
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
  return serverOf(child, '');
}

async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The server did not start.');
}

function serverOf(child: ChildProcess, origin: string): Server {
  return {
    origin,
    pid: child.pid!,
    statements: async () => {
      const counted = once(child, 'message') as Promise<[{ statements: number }]>;
      child.send('statements');
      return (await counted)[0].statements;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
