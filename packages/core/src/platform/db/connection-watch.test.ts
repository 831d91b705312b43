import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionWatch } from './connection-watch.ts';

/** A connection on which a statement runs that is never answered. */
class SilentClient {
  readonly connection = { stream: { destroy: vi.fn<() => void>() } };
  readonly connectionParameters = { application_name: '' };
  once() {}
  query = () => new Promise(() => undefined);
}

describe('a statement that runs while the server answers no look-ups', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Lets a statement run, with a look-up every second from the third on. Returns the seconds after which it failed, or null. */
  async function failsAfter(seconds: number, options: { patienceMs?: number; isAnsweredIn?: (second: number) => boolean }) {
    let second = 0;
    let name = '';
    const ask = () =>
      options.isAnsweredIn?.(second)
        ? Promise.resolve([{ application_name: name }])
        : Promise.reject(new Error('timeout expired'));
    const watch = new ConnectionWatch('postgres://unused', { patienceMs: options.patienceMs, ask: ask as never });
    const Watched = watch.watching(SilentClient as unknown as typeof Client);
    const client = new Watched() as unknown as SilentClient;
    name = client.connectionParameters.application_name;
    void client.query();
    const { destroy } = client.connection.stream;
    while (second < seconds && destroy.mock.calls.length === 0) {
      second += 1;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    watch.stop();
    return destroy.mock.calls.length > 0 ? second : null;
  }

  it('fails after eight seconds', async () => {
    expect(await failsAfter(100, {})).toBe(8);
  });

  it('fails when no look-up was answered for as long as the watch is patient, counted from the last answer', async () => {
    expect(await failsAfter(100, { patienceMs: 60_000 })).toBe(62);
    expect(await failsAfter(100, { patienceMs: 60_000, isAnsweredIn: (second) => second <= 30 })).toBe(91);
    expect(await failsAfter(200, { patienceMs: 60_000, isAnsweredIn: (second) => second % 50 === 0 })).toBe(null);
  });
});
