import { DatabaseError } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionWatch } from './connection-watch.ts';

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
    const destroy = vi.fn<() => void>();
    const watched = watch.watch(destroy);
    ({ name } = watched);
    watch.noteSent(watched);
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
    onTestFinished(() => watch.stop());
    const open = () => {
      const destroy = vi.fn<() => void>();
      return { destroy, watched: watch.watch(destroy) };
    };
    return { watch, open };
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

  it('gives up on the database after five seconds of silence, and destroys all connections', async () => {
    const { watch, open } = startWatch(silence);
    const busy = open();
    watch.noteSent(busy.watched);
    const connecting = open();
    expect(await givesUpAfter(watch)).toBe(6);
    for (const { destroy } of [busy, connecting]) expect(destroy).toHaveBeenCalledOnce();
  });

  it('also waits five seconds for a database that was already silent, so that visits in memory can be written', async () => {
    const { watch, open } = startWatch(silence);
    watch.noteSent(open().watched);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(watch.givenUp.aborted).toBe(false);
    expect(await givesUpAfter(watch)).toBe(5);
  });

  it('waits for a database that answers or refuses look-ups, or answers statements', async () => {
    const refusal = () => Promise.reject(new DatabaseError('too many clients', 0, 'error'));
    for (const ask of [answer, refusal]) expect(await givesUpAfter(startWatch(ask).watch)).toBe(null);
    const { watch, open } = startWatch(silence);
    const { watched } = open();
    const answered = () => {
      watch.noteSent(watched);
      watch.noteEnd(watched, true);
    };
    expect(await givesUpAfter(watch, answered)).toBe(null);
  });

  it('measures statements that are sent together from the latest answer', async () => {
    const { watch, open } = startWatch(silence);
    const { watched, destroy } = open();
    for (let statement = 0; statement < 3; statement += 1) watch.noteSent(watched);
    for (let second = 1; second <= 12; second += 1) {
      if (second % 5 === 0) watch.noteEnd(watched, true);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(destroy).not.toHaveBeenCalled();
  });

  it('does not give up on the database before it stops', async () => {
    const { watch } = startWatch(silence);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.givenUp.aborted).toBe(false);
  });
});
