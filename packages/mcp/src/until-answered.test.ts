import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilAnswered } from './until-answered.ts';

describe('the wait for answers', () => {
  let output: PassThrough;
  let transport: StdioServerTransport;
  let broken: PromiseWithResolvers<void>;
  let answered: () => Promise<void>;

  beforeEach(() => {
    // The first answer fills the buffer, which stays full until the test reads from `output`.
    output = new PassThrough({ highWaterMark: 1 });
    transport = new StdioServerTransport(new PassThrough(), output);
    broken = Promise.withResolvers<void>();
    answered = untilAnswered(transport, broken.promise);
  });

  const ask = (id: number) => transport.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} });

  /** Begins a wait. Returns a function that lets all pending callbacks run and then reports whether the wait is over. */
  const wait = () => {
    let isOver = false;
    void answered().then(() => (isOver = true));
    return async () => {
      await setImmediate();
      return isOver;
    };
  };

  it('ends when the answer is written', async () => {
    ask(1);
    const written = answer(1);
    const isOver = wait();
    expect(await isOver()).toBe(false);
    output.resume();
    await written;
    expect(await isOver()).toBe(true);
  });

  it('ends when the work is done if nobody reads the answers any more', async () => {
    ask(1);
    ask(2);
    const unread = answer(1);
    const isOver = wait();
    broken.resolve();
    await unread;
    expect(await isOver()).toBe(false);
    await answer(2);
    expect(await isOver()).toBe(true);
  });

  it('does not include a canceled request, even while its work continues', async () => {
    ask(1);
    ask(2);
    const isOver = wait();
    const cancel = (requestId: number) =>
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    cancel(1);
    expect(await isOver()).toBe(false);
    cancel(2);
    expect(await isOver()).toBe(true);
  });
});
