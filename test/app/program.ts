import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../support/built-program.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';

/** Path of the source file that runs the command line. */
export const CLI = fileURLToPath(new URL('../../packages/app/src/cli.js', import.meta.url));

type Environment = Record<string, string>;

/**
 * The whole environment of a process: PATH, HOME and the given settings. Sets DRAIN_SECONDS to 0 by default, so that the process ends without
 * waiting.
 */
export function environment(settings: Environment): Environment {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...COMPILE_CACHE,
    DRAIN_SECONDS: '0',
    ...settings,
  };
}

/** Settings that make a process fail if it loads any of these packages. */
export function without(...packages: string[]): Environment {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => {
      const forbidden = ${JSON.stringify(packages)}.find((name) => url.includes('/node_modules/' + name + '/'));
      if (forbidden) throw new Error('The process loads ' + forbidden);
      return next(url, context);
    } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
}

/**
 * Returns the file to run for these settings. Prefers the production build, which starts faster. The sources are used for the embedded database,
 * which the build lacks, and for tests that set NODE_OPTIONS. A file whose tests start programs calls `builtProgram` first, so that building does not
 * count towards their time limits.
 */
export async function commandLine(settings: Environment): Promise<string> {
  const isBuilt = 'DATABASE_URL' in settings && !('NODE_OPTIONS' in settings);
  return isBuilt ? join(await builtProgram(), 'affiliate.js') : CLI;
}

/** Runs the command line with `input` as its standard input, and waits until it exits. */
export async function run(
  args: string[],
  settings: Environment,
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [await commandLine(settings), ...args], {
    env: environment(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const exited = once(child, 'exit') as Promise<[number]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

export interface Running {
  child: ChildProcess;
  url: string;
  /** Returns the standard output so far. */
  output(): string;
  /** Settles when the output contains `part`. */
  waitFor(part: string): Promise<void>;
  /** Settles with the exit code. */
  ended: Promise<number | null>;
  /** Sends a signal and waits for the process to end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the program with these arguments and waits until its HTTP server listens. */
export async function startProgram(args: string[], settings: Environment): Promise<Running> {
  const child = spawn(process.execPath, [await commandLine(settings), ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return untilListening(child);
}

/** Settles when the worker has started working. Its later output is discarded. Throws if it exits first. */
export async function untilWorking<Child extends ChildProcess>(child: Child): Promise<Child> {
  let output = '';
  let isWorking = false;
  for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    isWorking = /"msg":"(worker started|working)"/.test(output);
    if (isWorking) break;
  }
  if (!isWorking) throw new Error(`The worker ended before it started working:\n${output}`);
  // Leaving the loop has paused the stream. It must continue, because a process blocks when nobody reads its log.
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
      if (gone && !output.includes(part)) throw new Error(`The process ended without printing "${part}":\n${output}`);
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
