import { areAlive, launchers } from './launcher.ts';

const WATCH_MS = 500;

/** Settles when this process should end, with the reason: a signal, or that what launched it is gone. */
export function untilAskedToEnd(): Promise<string> {
  return new Promise((resolve) => {
    const above = launchers();
    const watch = setInterval(() => areAlive(above) || end('the launcher is gone'), WATCH_MS);
    // Watching is no reason to go on, when the start has failed.
    watch.unref();
    const end = (reason: string) => {
      clearInterval(watch);
      resolve(reason);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.once(signal, () => {
        end(signal);
        // Asked again: whoever asks does not want to wait for us.
        process.on(signal, () => process.exit(1));
      });
    }
  });
}
