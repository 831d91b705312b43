import { type ErrorCode, type ErrorEnvelope, toEnvelope } from '@affiliate/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Action } from './define-tool.ts';

/** What an assistant can do about each error. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'The credential is not valid any more. Ask the person you work for to connect you again.',
  FORBIDDEN: 'Do not try again. Whoever administers the account can create a connector that has the permission named in details.',
  NOT_FOUND: 'There is no record with this id in this account. Look the id up with the list action.',
  CONFLICT: 'Read the record again before you try anything else.',
  OPERATION_PENDING: 'Call again in a while with the same idempotency_key and the same arguments. Do not use another key.',
  RECONCILIATION_REQUIRED: 'A person must find out what became of the earlier operation before anything is created again.',
  PSP_NOT_CONNECTED: 'Ask an administrator of the account to connect the payment provider in the settings.',
  PSP_ERROR: 'The payment provider did not answer as expected. Try again later, with the same idempotency_key if you gave one.',
  INTERNAL_ERROR: 'Try again later, with the same idempotency_key if you gave one. Quote the request id when you report it.',
};

/** An error as assistants get it: the envelope of every door, and a hint how to mend the call. */
export function errorReply(
  error: unknown,
  { action, requestId }: { action?: Action | undefined; requestId: string },
): CallToolResult {
  const { body } = toEnvelope(error);
  const hint = HINTS[body.code] ?? howToMend(body, action);
  const reply = { ...body, ...(hint ? { hint } : {}), request_id: requestId };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(reply) }] };
}

function howToMend({ code, details }: ErrorEnvelope, action: Action | undefined): string | undefined {
  if (code !== 'VALIDATION_ERROR' || !action) return undefined;
  if (Array.isArray(details) && details.some(({ path }: { path: string }) => path === 'Idempotency-Key')) {
    return 'Idempotency-Key is the argument idempotency_key.';
  }
  const { shape } = action.procedure.input;
  const fields = action.takes.map((name) => (shape[name]!.safeParse(undefined).success ? name : `${name} (required)`));
  return `Mend what details name. The action ${action.name} takes: ${fields.join(', ') || 'no further arguments'}.`;
}
