import { type Client, DatabaseError } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionWatch } from './connection-watch.ts';

/** A client that never gets an answer, except to the query `true`. */
class SilentClient {
  readonly connection = { stream: { destroy: vi.fn<() => void>() } };
  readonly connectionParameters = { application_name: '' };
  once() {}
  connect = () => new Promise(() => undefined);
  query = (isAnswered?: true) => (isAnswered ? Promise.resolve() : new Promise(() => undefined));
}

const silence = () => Promise.reject(new Error('timeout expired'));
const answer = () => Promise.resolve([]);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a statement that runs while the server does not answer look-ups', () => {
  /**
   * Runs a statement that never gets an answer. From the third second on, the watch asks the server every second whether the statement still
   * runs. Returns the number of seconds after which the statement failed, or null.
   */
  async function failsAfter(
    seconds: number,
    options: { patienceMs?: number; lookUpMs?: number; isAnsweredIn?: (second: number) => boolean },
  ) {
    let second = 0;
    let name = '';
    const ask = async () => {
      if (options.isAnsweredIn?.(second)) return [{ application_name: name }];
      if (options.lookUpMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.lookUpMs));
      return silence();
    };
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

  it('fails after eight seconds, even if a look-up is pending', async () => {
    expect(await failsAfter(100, { lookUpMs: 3_000 })).toBe(8);
  });

  it('fails when the time limit of the watch has passed since the last answered look-up', async () => {
    expect(await failsAfter(100, { patienceMs: 60_000 })).toBe(62);
    expect(await failsAfter(100, { patienceMs: 60_000, isAnsweredIn: (second) => second <= 30 })).toBe(91);
    expect(await failsAfter(200, { patienceMs: 60_000, isAnsweredIn: (second) => second % 50 === 0 })).toBe(null);
  });
});

describe('a stopping process', () => {
  /** Starts a watch whose look-ups call `ask`. Returns the watch and a function that opens a watched connection. */
  function startWatch(ask: () => Promise<unknown>) {
    const watch = new ConnectionWatch('postgres://unused', { ask: ask as never });
    const Watched = watch.watching(SilentClient as unknown as typeof Client);
    onTestFinished(() => watch.stop());
    return { watch, open: () => new Watched() as unknown as SilentClient };
  }

  /**
   * Calls `giveUpWhenSilent`. Returns the number of seconds after which the watch gives up on the database, or null if that takes more than
   * half a minute.
   */
  async function givesUpAfter(watch: ConnectionWatch, eachSecond?: () => void): Promise<number | null> {
    watch.giveUpWhenSilent();
    for (let second = 1; second <= 30; second += 1) {
      eachSecond?.();
      await vi.advanceTimersByTimeAsync(1_000);
      if (watch.givenUp.aborted) return second;
    }
    return null;
  }

  it('gives up on the database after five seconds of silence, and fails all current and later statements and connection attempts', async () => {
    const { watch, open } = startWatch(silence);
    const busy = open();
    void busy.query();
    const connecting = open();
    void connecting.connect();
    expect(await givesUpAfter(watch)).toBe(6);
    const late = open();
    expect(late.connection.stream.destroy).not.toHaveBeenCalled();
    void late.connect();
    for (const { connection } of [busy, connecting, late]) expect(connection.stream.destroy).toHaveBeenCalledOnce();
  });

  it('also waits five seconds for a database that was already silent, so that visits in memory can be written', async () => {
    const { watch, open } = startWatch(silence);
    void open().query();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(watch.givenUp.aborted).toBe(false);
    expect(await givesUpAfter(watch)).toBe(5);
  });

  it('waits for a database that answers or refuses look-ups, or answers statements', async () => {
    const refusal = () => Promise.reject(new DatabaseError('too many clients', 0, 'error'));
    for (const ask of [answer, refusal]) expect(await givesUpAfter(startWatch(ask).watch)).toBe(null);
    const { watch, open } = startWatch(silence);
    expect(await givesUpAfter(watch, () => void open().query(true))).toBe(null);
  });

  it('does not give up on the database before it stops', async () => {
    const { watch } = startWatch(silence);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.givenUp.aborted).toBe(false);
  });
});
