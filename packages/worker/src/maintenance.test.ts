import { expect, it } from 'vitest';
import { SCHEDULED_JOB_LIMIT_SECONDS } from './job-queue.ts';
import { JOBS, TIME_LIMIT_MS } from './maintenance.ts';

it('all maintenance jobs can use up their time limits, one after the other, before the queue gives the last one up', () => {
  expect(JOBS.length * TIME_LIMIT_MS).toBeLessThan(SCHEDULED_JOB_LIMIT_SECONDS * 1_000);
});
