import { rateLimited } from '@affiliate/core';
import type { Response } from 'express';
import { InFlight } from './in-flight.ts';

/** Maximum number of bytes that wait to be read by one address, and by all callers of one account. */
const MOST_UNREAD = 32 * 1024 * 1024;
const RETRY_SECONDS = 1;

/** Limits the memory that answers take up while clients do not read them. */
export interface UnreadAnswers {
  /** Counts an answer for a client until it has been sent. Throws RATE_LIMITED if too many bytes already wait for the client. */
  begin(client: string, response: Response): void;
  /** Throws RATE_LIMITED if too many bytes wait for one of the clients of a response. */
  assertRoom(response: Response): void;
}

export function createUnreadAnswers(most = MOST_UNREAD): UnreadAnswers {
  const answers = new Map<string, InFlight<Response>>();
  const clientsOf = new WeakMap<Response, string[]>();
  const assertRoomFor = (client: string) => {
    let unread = 0;
    for (const { socket } of answers.get(client)?.items ?? []) unread += socket?.writableLength ?? 0;
    if (unread > most) throw rateLimited(RETRY_SECONDS);
  };
  return {
    begin: (client, response) => {
      assertRoomFor(client);
      let begun = answers.get(client);
      if (!begun) answers.set(client, (begun = new InFlight()));
      const remove = begun.add(response);
      const clients = clientsOf.get(response);
      if (clients) clients.push(client);
      else clientsOf.set(response, [client]);
      response.once('close', () => {
        remove();
        if (begun.items.length === 0 && answers.get(client) === begun) answers.delete(client);
      });
    },
    assertRoom: (response) => {
      for (const client of clientsOf.get(response) ?? []) assertRoomFor(client);
    },
  };
}
