import type { Logger } from '@affiliate/core';

/** Work that is repeated. Its runs never overlap. */
export interface Repeated {
  /** Runs the work now, or after the current run. */
  now(): Promise<void>;
  /** Makes the next run start within `ms`. */
  within(ms: number): void;
  /** Starts no more runs, and resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` repeatedly: for the first time after `intervalMs`, then each time `intervalMs` after the previous run has ended. Errors
 * are logged and do not stop the repetition.
 *
 * @param intervalMs a function is called after each run
 */
export function repeat(name: string, intervalMs: number | (() => number), work: () => Promise<unknown>, log: Logger): Repeated {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = Infinity;

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
  const startIn = (ms: number) => {
    clearTimeout(timer);
    nextAt = performance.now() + ms;
    timer = setTimeout(() => void runAndSchedule(), ms);
    timer.unref();
  };
  const schedule = () => startIn(typeof intervalMs === 'number' ? intervalMs : intervalMs());
  const runAndSchedule = async () => {
    nextAt = -Infinity;
    await run();
    if (!stopped) schedule();
  };
  schedule();
  return {
    now: run,
    within: (ms) => {
      if (!stopped && performance.now() + ms < nextAt) startIn(ms);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
