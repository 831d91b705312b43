import { type ErrorCode, type ErrorEnvelope, toEnvelope } from '@affiliate/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Action } from './define-tool.ts';

/** Hints for the assistant about each error. Other codes have none. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'The credential is no longer valid. Ask the user to reconnect.',
  FORBIDDEN: 'Do not retry. An admin of the account can create a connector with the permission in details.',
  NOT_FOUND: 'The account has no record with this id. Find the id with the list action.',
  CONFLICT: 'Fetch the record again before you continue.',
  OPERATION_PENDING: 'Wait, then repeat the call with the same idempotency_key and arguments. Do not use another key.',
  RECONCILIATION_REQUIRED: 'Do not retry. A person must check the outcome of the earlier operation first.',
  PSP_NOT_CONNECTED: 'Ask an admin of the account to connect Stripe in the settings.',
  PSP_ERROR: 'Stripe returned an error. Retry later, with the same idempotency_key if you used one.',
  INTERNAL_ERROR:
    'Retry later, with the same idempotency_key if you used one. Include the request id when you report the problem.',
};

/** An error reply: the standard error envelope and a hint how to fix the call. */
export function errorReply(
  error: unknown,
  { action, requestId }: { action?: Action | undefined; requestId: string },
): CallToolResult {
  const { body } = toEnvelope(error);
  const hint = HINTS[body.code] ?? validationHint(body, action);
  const reply = { ...body, ...(hint ? { hint } : {}), request_id: requestId };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(reply) }] };
}

function validationHint({ code, details }: ErrorEnvelope, action: Action | undefined): string | undefined {
  if (code !== 'VALIDATION_ERROR' || !action) return undefined;
  if (Array.isArray(details) && details.some(({ path }: { path: string }) => path === 'Idempotency-Key')) {
    return 'Idempotency-Key is the argument idempotency_key.';
  }
  const { shape } = action.procedure.input;
  const fields = action.takes.map((name) => (shape[name]!.safeParse(undefined).success ? name : `${name} (required)`));
  return `Fix the fields in details. Arguments of the action ${action.name}: ${fields.join(', ') || 'none'}.`;
}
