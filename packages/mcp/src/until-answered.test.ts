import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { expect, it } from 'vitest';
import { untilAnswered } from './until-answered.ts';

it('waits for an answer until it is written, or nobody reads any more', async () => {
  // Full with the first answer, which nobody reads.
  const output = new PassThrough({ highWaterMark: 1 });
  const transport = new StdioServerTransport(new PassThrough(), output);
  const broken = Promise.withResolvers<void>();
  const answered = untilAnswered(transport, broken.promise);
  const ask = (id: number) => transport.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} });

  ask(1);
  const written = answer(1);
  const all = answered().then(() => 'answered');
  expect(await Promise.race([all, Promise.resolve('open')])).toBe('open');
  output.resume();
  await written;
  expect(await all).toBe('answered');

  output.pause();
  ask(2);
  ask(3);
  const unread = answer(2);
  broken.resolve();
  await unread;
  const rest = answered().then(() => 'answered');
  expect(await Promise.race([rest, Promise.resolve('open')])).toBe('open');
  // Its work is done, although its answer cannot be written.
  await answer(3);
  expect(await rest).toBe('answered');
});
