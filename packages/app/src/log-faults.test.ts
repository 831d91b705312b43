import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { summingUpFaults } from './log-faults.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false, hooks: { logMethod: summingUpFaults() } },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { log, lines };
}

it('writes a repeated fault once in full, and then its number each second', () => {
  const { log, lines } = openLog();
  const unreachable = () => log.error({ err: new Error('unreachable'), request_id: String(Math.random()) }, 'request failed');
  for (let second = 0; second < 3; second += 1) {
    for (let i = 0; i < 1_000; i += 1) unreachable();
    vi.advanceTimersByTime(1_000);
  }
  expect(lines).toMatchObject([
    { level: 50, msg: 'request failed', err: { message: 'unreachable', stack: expect.stringContaining('at ') as string } },
    { level: 50, msg: 'request failed', repeated: 999, fault: { message: 'unreachable' } },
    { repeated: 1_000 },
    { repeated: 1_000 },
  ]);
  expect(JSON.stringify(lines.slice(1))).not.toContain('stack');
});

it('writes a fault in full again after it has stopped', () => {
  const { log, lines } = openLog();
  const fail = () => log.warn({ err: new Error('slow') }, 'not sent');
  fail();
  vi.advanceTimersByTime(2_500);
  fail();
  expect(lines.map(({ err }) => (err as Error).message)).toEqual(['slow', 'slow']);
});

it('writes other lines and different faults unchanged', () => {
  const { log, lines } = openLog();
  for (let i = 0; i < 3; i += 1) {
    log.info({ i }, 'request');
    log.error({ i }, 'without an error');
    log.error({ err: new Error(`different ${i}`) }, 'request failed');
  }
  expect(lines).toHaveLength(9);
});

it('sums up a limited number of faults', () => {
  const { log, lines } = openLog();
  for (let round = 0; round < 2; round += 1) for (let i = 0; i < 150; i += 1) log.error({ err: new Error(`${i}`) }, 'failed');
  expect(lines).toHaveLength(200);
});
