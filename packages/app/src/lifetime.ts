import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const WATCH_MS = 500;
/** Time for writing the last lines of the log. */
const LAST_WORDS_MS = 500;

/** Ends the process after `milliseconds`, even if something is still running. */
export function endWithin(milliseconds: number, onTimeout: () => void): void {
  const deadline = setTimeout(() => {
    onTimeout();
    process.exit(1);
  }, milliseconds);
  // If everything ends earlier, the timer must not keep the process alive.
  deadline.unref();
}

/** Ends this process in half a second, because an unresponsive connection could otherwise keep it alive. Called when all work is finished. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/** Resolves when this process should end, with the reason: a signal, or the end of its launcher. */
export function untilShutdownRequested(): Promise<string> {
  return new Promise((resolve) => {
    const above = launchers();
    const watch = setInterval(() => areAlive(above) || end('the launcher is gone'), WATCH_MS);
    // The timer must not keep the process alive if the start has failed.
    watch.unref();
    const end = (reason: string) => {
      clearInterval(watch);
      resolve(reason);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.once(signal, () => {
        end(signal);
        // A second signal ends the process at once.
        process.on(signal, () => process.exit(1));
      });
    }
  });
}

const LAUNCHERS = new Set(['npm', 'npx', 'pnpm']);

interface ProcessEntry {
  pid: number;
  parent: number;
  /** First two words of the process's command line. */
  words: string[];
}

/**
 * Returns the process ids of the package managers that started this process, nearest first, and of the shells between them. They must be
 * watched because `npx` does not pass on SIGTERM: it ends and leaves its children running. Returns nothing if there is no package manager or
 * no /proc.
 */
function launchers(): number[] {
  if (process.env['npm_lifecycle_event'] === undefined) return [];
  const ancestors: ProcessEntry[] = [];
  for (let next = readProcess(process.ppid); next && next.pid > 1; next = readProcess(next.parent)) {
    if (!isLauncher(next) && !isShell(next)) break;
    ancestors.push(next);
  }
  // A shell above the outermost launcher is a terminal or a script. This process need not end when that shell ends.
  return ancestors.slice(0, ancestors.findLastIndex(isLauncher) + 1).map(({ pid }) => pid);
}

/** True if every launcher still runs and is an ancestor of this process. */
function areAlive(pids: readonly number[]): boolean {
  let child = readProcess(process.pid);
  return pids.every((pid) => {
    if (child?.parent !== pid) return false;
    child = readProcess(pid);
    return child !== null;
  });
}

function readProcess(pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (command) state parent …"; the command may contain spaces and parentheses.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0\s]+/);
    return { pid, parent: Number(parent), words: words.slice(0, 2) };
  } catch {
    return null;
  }
}

/** True for `npm exec …`, `pnpm start`, and a runtime with the script of a package manager: `node /…/npx-cli.js`. */
function isLauncher({ words }: ProcessEntry): boolean {
  return words.some((word) => LAUNCHERS.has(basename(word).replace(/(-cli)?\.[cm]?js$/, '')));
}

function isShell({ words }: ProcessEntry): boolean {
  return ['sh', 'dash', 'bash'].includes(basename(words[0] ?? '')) && words[1] === '-c';
}
