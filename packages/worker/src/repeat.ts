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

/** Shortest time until the next run after a failed one, because the database may be down for a while. */
const AFTER_FAILURE_MS = 1_000;

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
  let isRunning = false;
  let nextAt = Infinity;
  /** Time until which `within` has requested a run, while a run that may have begun too early for it is under way. */
  let wantedAt = Infinity;
  let atLeastMs = 0;

  const attempt = async () => {
    if (stopped) return;
    atLeastMs = 0;
    try {
      await work();
    } catch (err) {
      atLeastMs = AFTER_FAILURE_MS;
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
  const schedule = () => {
    const ms = typeof intervalMs === 'number' ? intervalMs : intervalMs();
    startIn(Math.max(Math.min(ms, wantedAt - performance.now()), atLeastMs));
    wantedAt = Infinity;
  };
  const runAndSchedule = async () => {
    isRunning = true;
    await run();
    isRunning = false;
    if (!stopped) schedule();
  };
  schedule();
  return {
    now: run,
    within: (ms) => {
      const at = performance.now() + ms;
      if (isRunning) wantedAt = Math.min(wantedAt, at);
      else if (!stopped && at < nextAt) startIn(ms);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
