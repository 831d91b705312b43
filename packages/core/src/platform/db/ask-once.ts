import { Client } from 'pg';

/**
 * Executes one statement on a new connection outside any pool, and closes the connection.
 *
 * @throws when connecting or the statement takes longer than `limitMs`
 */
export async function askOnce<Row extends object>(
  url: string,
  limitMs: number,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({
    connectionString: url,
    application_name: 'affiliate probe',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    // Tells the server that the connection is ending. Does not wait for a reply, because a lost connection would never deliver one.
    client.end().catch(() => undefined);
    const { stream } = (client as unknown as { connection: { stream: { destroySoon(): void } } }).connection;
    stream.destroySoon();
  }
}
