import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../support/built-program.ts';

/** The command line from the sources. */
export const CLI = fileURLToPath(new URL('../../packages/app/src/cli.js', import.meta.url));

type Environment = Record<string, string>;

/** The environment of a process, with the given settings only. */
export function environment(settings: Environment): Environment {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DRAIN_SECONDS: '0', ...settings };
}

/** Settings under which a process fails when it loads any of these packages. */
export function without(...packages: string[]): Environment {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => {
      const forbidden = ${JSON.stringify(packages)}.find((name) => url.includes('/node_modules/' + name + '/'));
      if (forbidden) throw new Error('loads ' + forbidden);
      return next(url, context);
    } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
}

/**
 * The command line for these settings: that of the production build, which starts faster. The sources serve the embedded database, which the
 * build lacks, and tests of what is loaded. A file whose tests start programs builds them first (`builtProgram`), outside their time limits.
 */
export async function commandLine(settings: Environment): Promise<string> {
  const isBuilt = 'DATABASE_URL' in settings && !('NODE_OPTIONS' in settings);
  return isBuilt ? join(await builtProgram(), 'affiliate.js') : CLI;
}

/** Runs the command line to its end. */
export async function run(args: string[], settings: Environment): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [await commandLine(settings), ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

export interface Running {
  child: ChildProcess;
  url: string;
  /** Standard output so far. */
  output(): string;
  /** Settles when the output contains `part`. */
  waitFor(part: string): Promise<void>;
  /** Settles with the exit code. */
  ended: Promise<number | null>;
  /** Sends a signal and waits for the process to end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command line and waits until it listens. */
export async function startProgram(args: string[], settings: Environment): Promise<Running> {
  const child = spawn(process.execPath, [await commandLine(settings), ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return untilListening(child);
}

/** Settles when a worker works. Its output is discarded from then on. Throws when it ends before. */
export async function untilWorking<Child extends ChildProcess>(child: Child): Promise<Child> {
  let output = '';
  let isWorking = false;
  for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    isWorking = /"msg":"(worker started|working)"/.test(output);
    if (isWorking) break;
  }
  if (!isWorking) throw new Error(`ended before it worked:\n${output}`);
  // Only now: the end of the iteration pauses the stream, and a process whose log nobody reads stops.
  child.stdout!.resume();
  return child;
}

export async function untilListening(child: ChildProcess): Promise<Running> {
  let output = '';
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const waitFor = async (part: string) => {
    while (!output.includes(part)) {
      const gone = await Promise.race([once(child.stdout!, 'data').then(() => false), exited.then(() => true)]);
      if (gone && !output.includes(part)) throw new Error(`ended without "${part}":\n${output}`);
    }
  };
  await waitFor('"msg":"listening"');
  const [, url = ''] = /"url":"([^"]+)","msg":"listening"/.exec(output) ?? [];
  return {
    child,
    url,
    output: () => output,
    waitFor,
    ended: exited.then(([code]) => code),
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
