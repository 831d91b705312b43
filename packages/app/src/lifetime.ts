import { areAlive, launchers } from './launcher.ts';

const WATCH_MS = 500;

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
