import { once } from 'node:events';
import type { Response } from 'express';

/** Writes a part of a response, and resolves when there is room for the next part, or the client has gone away. */
export async function writePart(response: Response, part: string | Buffer): Promise<void> {
  // A client that has gone away already causes no event that ends the waiting.
  if (!response.destroyed && !response.write(part)) await roomIn(response);
}

/** Resolves when the client has read what was written, or has gone away. */
async function roomIn(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waiting.abort();
}
