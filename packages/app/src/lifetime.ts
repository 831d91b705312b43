import { areAlive, launchers } from './launcher.ts';

const WATCH_MS = 500;
/** Time for lines of the log that are not written yet. */
const LAST_WORDS_MS = 500;

/** Ends the process after `milliseconds`, whatever still hangs then. */
export function endWithin(milliseconds: number, onTimeout: () => void): void {
  const deadline = setTimeout(() => {
    onTimeout();
    process.exit(1);
  }, milliseconds);
  // When everything has ended before, so does the process.
  deadline.unref();
}

/** Ends this process, whose work is finished, soon: connections that no longer answer would keep it. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/** Settles when this process should end, with the reason: a signal, or the end of its launcher. */
export function untilShutdownRequested(): Promise<string> {
  return new Promise((resolve) => {
    const above = launchers();
    const watch = setInterval(() => areAlive(above) || end('the launcher is gone'), WATCH_MS);
    // The timer must not keep the process alive when the start has failed.
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
