import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** A `pg` client whose socket is ours: it can be held back, to send several statements at once, and destroyed. */
export class SocketClient extends Client {
  readonly socket: Socket;

  constructor(config: ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }

  /** Tells the server that the session is ending. Does not wait for a reply, because a lost connection would never deliver one. */
  endNow(): void {
    this.end().catch(() => undefined);
    this.socket.destroySoon();
  }
}

export interface SessionOptions {
  /** `application_name` of the session. */
  name: string;
  /** Time limit for connecting. Default: none. */
  connectMs?: number;
  /** Time within which a statement must be answered. Default: no limit. */
  answerMs?: number;
  /** Time after which PostgreSQL cancels a statement. Default: the server's. */
  statementMs?: number;
  keepAlive?: boolean;
}

/**
 * Opens a session of its own, outside any pool: for listening, for locks that belong to a session, and for copies of tables. The caller ends
 * it. If the connection is lost, the running statement fails, and the client emits `error` and `end`.
 */
export async function openSession(url: string, options: SessionOptions): Promise<SocketClient> {
  const { name, connectMs, answerMs, statementMs, keepAlive } = options;
  const client = new SocketClient({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    statement_timeout: statementMs,
    keepAlive,
  });
  // Without a listener, the error of a lost connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Executes one statement in a session of its own, and ends the session.
 *
 * @throws when connecting or the statement takes longer than `limitMs`
 */
export async function askOnce<Row extends object>(
  url: string,
  limitMs: number,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await openSession(url, { name: 'affiliate probe', connectMs: limitMs, answerMs: limitMs });
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    client.endNow();
  }
}
