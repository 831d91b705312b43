import type { Client } from 'pg';

const LIMIT_MS = 3_000;

/** Ends a session. One whose connection no longer answers never confirms that, so it is cut off after three seconds. */
export async function endSession(client: Client): Promise<void> {
  const limit = setTimeout(() => cutOff(client), LIMIT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

/** Ends a session without waiting for the server. */
export function cutOff(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
