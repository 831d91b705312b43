import type { Logger } from '@affiliate/core';

/** Work that repeats, never twice at the same time. */
export interface Repeated {
  /** Runs it now, after the current run if there is one. */
  now(): Promise<void>;
  /** Starts no more runs and settles when the current one has ended. */
  stop(): Promise<void>;
}

/** Runs `work` every `intervalMs`, from the end of one run to the start of the next. An error is logged and does not stop the repetition. */
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
