import { expect, it } from 'vitest';
import { SCHEDULED_JOB_LIMIT_SECONDS } from './job-queue.ts';
import { JOBS, TIME_LIMIT_MS } from './maintenance.ts';

it('the queue’s time limit is long enough for all maintenance jobs to use their full time limits, one after the other', () => {
  expect(JOBS.length * TIME_LIMIT_MS).toBeLessThan(SCHEDULED_JOB_LIMIT_SECONDS * 1_000);
});
