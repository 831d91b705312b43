import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

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

/** Runs the command line to its end. */
export async function run(args: string[], settings: Environment): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(settings), stdio: ['ignore', 'pipe', 'pipe'] });
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
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(settings), stdio: ['ignore', 'pipe', 'inherit'] });
  return untilListening(child);
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
