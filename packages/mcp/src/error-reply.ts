import { type ErrorCode, type ErrorEnvelope, toEnvelope } from '@affiliate/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Action } from './define-tool.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Hints for the assistant, by error code. Other codes have no hint. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'The credential is no longer valid. Ask the user to reconnect.',
  FORBIDDEN:
    'Do not retry. Use request_access if it is listed; otherwise an admin of the account can change the permissions of this connector.',
  PAY_LIMIT_EXCEEDED:
    'Do not retry. Ask the user to pay this themselves, or to change the daily limit of this connector in Settings.',
  SECOND_FACTOR_REQUIRED: 'Do not retry. Ask the user to sign in to the service and set up a second factor.',
  NOT_FOUND: 'The account has no record with this id. Find the id with program_overview search.',
  CONFLICT: 'Fetch the record again before you continue.',
  OPERATION_PENDING: 'Wait, then repeat the call with the same idempotency_key and arguments. Do not use another key.',
  RECONCILIATION_REQUIRED: 'Do not retry. A person must check the outcome of the earlier operation first.',
  PSP_NOT_CONNECTED: 'Ask an admin of the account to connect Stripe in the settings.',
  PSP_ERROR: 'Stripe refused the request or could not be reached. Retry later, with the same idempotency_key if you used one.',
  INTERNAL_ERROR:
    'Retry later, with the same idempotency_key if you used one. Include the request id when you report the problem.',
};

/** Builds an error reply: the standard error envelope, and a hint on how to fix the call. */
export function errorReply(
  error: unknown,
  { action, requestId }: { action?: Action | undefined; requestId: string },
): CallToolResult {
  const body = inArguments(toEnvelope(error).body, action);
  const hint = HINTS[body.code] ?? validationHint(body, action);
  const reply = { ...body, ...(hint ? { hint } : {}), request_id: requestId };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(reply) }] };
}

/**
 * Replaces the names of headers and input fields in the envelope by the names of the tool's arguments, because an assistant knows
 * only those.
 */
function inArguments(envelope: ErrorEnvelope, action: Action | undefined): ErrorEnvelope {
  const words = Object.entries(action?.renamed ?? {}).map(
    ([argument, field]) => [new RegExp(`\\b${field}\\b`, 'g'), argument] as const,
  );
  const translate = (text: string) =>
    words.reduce(
      (all, [field, argument]) => all.replaceAll(field, argument),
      text.replaceAll('Idempotency-Key', 'idempotency_key'),
    );
  const { error, code, details } = envelope;
  if (!Array.isArray(details)) return { ...envelope, error: translate(error) };
  const translated = (details as { path: string; message: string }[]).map((detail) => ({
    ...detail,
    path: translate(detail.path),
    message: translate(detail.message),
  }));
  return { error: translate(error), code, details: translated };
}

function validationHint({ code, details }: ErrorEnvelope, action: Action | undefined): string | undefined {
  if (code !== 'VALIDATION_ERROR' || !action) return undefined;
  const { shape } = action.procedure.input;
  const fields = action.takes.map((name) =>
    shape[action.fieldOf(name)]!.safeParse(undefined).success ? name : `${name} (required)`,
  );
  const shapes = refusedShapes(details, action).map((shape) => ` ${shape}`);
  return `Fix the fields in details. Arguments of the action ${action.name}: ${fields.join(', ') || 'none'}.${shapes.join('')}`;
}

/** Returns the schemas of refused arguments whose fields or values the tool does not publish. */
function refusedShapes(details: unknown, { takes, untyped, unlisted, fieldOf, procedure }: Action): string[] {
  const refused = Array.isArray(details) ? (details as { path: string }[]).map(({ path }) => path.split('.')[0]) : [];
  const shown = takes.filter((name) => refused.includes(name) && [...untyped, ...unlisted].includes(fieldOf(name)));
  if (shown.length === 0) return [];
  const { properties = {} } = jsonSchema(procedure.input, 'input') as { properties?: Record<string, JsonSchema> };
  return shown.map((name) => `${name}: ${JSON.stringify(properties[fieldOf(name)])}`);
}
