import { areAlive, launchers } from './launcher.ts';

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
