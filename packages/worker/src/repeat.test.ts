import type { Logger } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = { error: () => undefined } as unknown as Logger;

describe('repeated work', () => {
  it('runs soon after a run that was under way when the next one was requested', async () => {
    let ended = Promise.withResolvers<void>();
    const work = vi.fn<() => Promise<void>>(() => ended.promise);
    const repeated = repeat('work', 10_000, work, log);
    await vi.advanceTimersByTimeAsync(10_000);
    repeated.within(1_000);
    ended.resolve();
    ended = Promise.withResolvers();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    ended.resolve();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(work).toHaveBeenCalledTimes(2);
    await repeated.stop();
  });

  it('runs earlier, but not later, than requested', async () => {
    const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const repeated = repeat('work', 10_000, work, log);
    repeated.within(20_000);
    repeated.within(1_000);
    repeated.within(5_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work).toHaveBeenCalledTimes(2);
    await repeated.stop();
  });

  it('waits at least a second after a failure, whatever its interval', async () => {
    let isDown = true;
    const work = vi.fn<() => Promise<void>>(() =>
      isDown ? Promise.reject(new Error('The database is down.')) : Promise.resolve(),
    );
    const repeated = repeat('work', () => 50, work, log);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work.mock.calls.length).toBeLessThanOrEqual(10);
    isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    work.mockClear();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(20);
    await repeated.stop();
  });
});
