import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type RequestId, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';

/**
 * Tracks the open requests of a connected transport.
 *
 * @returns a function whose promise resolves once every request received so far is answered
 */
export function untilAnswered(transport: Transport): () => Promise<void> {
  const open = new Set<RequestId>();
  const waiting: (() => void)[] = [];
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  Object.assign(transport, {
    onmessage: (message, extra) => {
      if (isJSONRPCRequest(message)) open.add(message.id);
      onmessage?.(message, extra);
    },
    send: async (message, options) => {
      await send(message, options);
      if (!('method' in message) && message.id !== undefined) open.delete(message.id);
      if (open.size === 0) for (const settle of waiting.splice(0)) settle();
    },
  } satisfies Pick<Transport, 'onmessage' | 'send'>);
  return () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)));
}
