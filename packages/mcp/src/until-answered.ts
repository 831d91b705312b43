import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type JSONRPCMessage,
  type RequestId,
  CancelledNotificationSchema,
  isJSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * Tracks the open requests of a connected transport. A request that the client canceled counts as answered, because it gets no
 * answer (MCP, Cancellation).
 *
 * @param broken settles when nobody reads the answers any more. From then on, a request counts as answered when its work is done
 * @returns a function whose promise resolves once every request received so far is answered
 */
export function untilAnswered(transport: Transport, broken: Promise<void>): () => Promise<void> {
  /** Functions that end the wait for an answer that is being written. Null once answers can no longer be written. */
  let unwritten: Set<() => void> | null = new Set();
  void broken.finally(() => {
    for (const giveUp of unwritten ?? []) giveUp();
    unwritten = null;
  });
  const open = new Set<RequestId>();
  const waiting: (() => void)[] = [];
  const answered = (id: RequestId | undefined) => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) for (const settle of waiting.splice(0)) settle();
  };
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  Object.assign(transport, {
    onmessage: (message, extra) => {
      if (isJSONRPCRequest(message)) open.add(message.id);
      onmessage?.(message, extra);
      const canceled = canceledRequest(message);
      if (canceled !== undefined) answered(canceled);
    },
    send: async (message, options) => {
      const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
      unwritten?.add(giveUp);
      if (unwritten !== null) await Promise.race([send(message, options), givenUp]);
      unwritten?.delete(giveUp);
      if (!('method' in message)) answered(message.id);
    },
  } satisfies Pick<Transport, 'onmessage' | 'send'>);
  return () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)));
}

function canceledRequest(message: JSONRPCMessage): RequestId | undefined {
  return CancelledNotificationSchema.safeParse(message).data?.params.requestId;
}
