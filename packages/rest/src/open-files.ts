import { rateLimited } from '@affiliate/core';
import type { Response } from 'express';

/** Maximum number of files that one client downloads at the same time. Browsers open six connections to a host. */
const MOST_OPEN = 32;
const RETRY_SECONDS = 1;

/** Limits the number of files that a client downloads at the same time, because each of them holds a part of its file in memory. */
export interface OpenFiles {
  /** Counts a download until its connection has taken it or has ended. Throws RATE_LIMITED if the client has too many. */
  begin(client: string, response: Response): void;
}

export function createOpenFiles(most = MOST_OPEN): OpenFiles {
  const numbers = new Map<string, number>();
  return {
    begin: (client, response) => {
      const open = numbers.get(client) ?? 0;
      if (open >= most) throw rateLimited(RETRY_SECONDS);
      numbers.set(client, open + 1);
      response.once('close', () => {
        const left = numbers.get(client)! - 1;
        if (left > 0) numbers.set(client, left);
        else numbers.delete(client);
      });
    },
  };
}
