import type { SocketClient } from '@affiliate/postgres';

const LIMIT_MS = 3_000;

/**
 * Ends a session. If the server does not confirm the end within three seconds, destroys the connection, which may be
 * broken.
 */
export async function endSession(client: SocketClient): Promise<void> {
  const limit = setTimeout(() => cutOff(client), LIMIT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

/** Destroys the connection of a session without waiting for the server. */
export function cutOff(client: SocketClient): void {
  client.socket.destroy();
}
