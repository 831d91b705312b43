import type { Logger } from '@affiliate/core';

/** Work that is repeated. Its runs never overlap. */
export interface Repeated {
  /** Runs the work now, or after the current run. */
  now(): Promise<void>;
  /** Starts no more runs, and resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` repeatedly: for the first time after `intervalMs`, then each time `intervalMs` after the previous run has ended. Errors
 * are logged and do not stop the repetition.
 */
export function repeat(name: string, intervalMs: number, work: () => Promise<unknown>, log: Logger): Repeated {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const attempt = async () => {
    if (stopped) return;
    try {
      await work();
    } catch (err) {
      log.error({ err, sweep: name }, 'sweep failed');
    }
  };
  const run = () => {
    running = running.then(attempt);
    return running;
  };
  const schedule = () => {
    timer = setTimeout(() => void runAndSchedule(), intervalMs);
    timer.unref();
  };
  const runAndSchedule = async () => {
    await run();
    if (!stopped) schedule();
  };
  schedule();
  return {
    now: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
