import {
  type Preview,
  type Services,
  beginAuditEntry,
  callProcedure,
  completeAuditEntry,
  invalid,
  toEnvelope,
  validationError,
} from '@affiliate/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Action, CONTROLS, type Tool } from './define-tool.ts';
import { errorReply } from './error-reply.ts';
import { isList, listReply, readCursor } from './list-page.ts';
import type { Assistant } from './published-tool.ts';

export interface ToolCall {
  tool: Tool;
  arguments: Readonly<Record<string, unknown>>;
  caller: Assistant;
  requestId: string;
}

/** Executes one tool call. Errors are returned as replies, never thrown. */
export async function callTool(services: Services, call: ToolCall): Promise<CallToolResult> {
  let action: Action | undefined;
  try {
    action = findAction(call);
    const reply = action.procedure.type === 'query' ? await read(services, call, action) : await audited(services, call, action);
    const text = JSON.stringify(reply);
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
  } catch (error) {
    logFailure(services, call, action, error);
    return errorReply(error, { action, requestId: call.requestId });
  }
}

function findAction({ tool, arguments: { action: name } }: ToolCall): Action {
  const action = tool.actions.find((each) => each.name === name);
  if (!action) throw invalid('action', `Must be one of: ${tool.actions.map((each) => each.name).join(', ')}.`, 'invalid_value');
  return action;
}

async function read(services: Services, call: ToolCall, action: Action): Promise<object> {
  const { cursor } = call.arguments;
  if (cursor !== undefined && !isList(action))
    throw invalid('cursor', `The action \`${action.name}\` has no such argument.`, 'unrecognized_key');
  const place = cursor === undefined ? null : readCursor(cursor);
  const input = {
    ...argumentsOf(call, action),
    ...action.fixed,
    ...(place ? { page: place.page, limit: place.limit } : {}),
  };
  const result = await callProcedure(context(services, call), action.procedure.path, input);
  return isList(action) ? listReply(result as Parameters<typeof listReply>[0], place?.skip) : { result };
}

/** Records a write in the audit log, then executes it. The entry comes first, so that previews and refused calls have one too. */
async function audited(services: Services, call: ToolCall, action: Action): Promise<object> {
  const preview = call.arguments['dry_run'] !== false;
  const entry = await beginAuditEntry(services, call.caller, {
    tool: call.tool.name,
    action: action.name,
    arguments: call.arguments,
    preview,
    requestId: call.requestId,
  });
  try {
    const reply = await write(services, call, action);
    await completeAuditEntry(services, entry, reply.replayed ? 'replayed' : 'succeeded');
    return reply;
  } catch (error) {
    await completeAuditEntry(services, entry, toEnvelope(error).body.code);
    throw error;
  }
}

interface WriteReply {
  dry_run: boolean;
  result: unknown;
  events?: Preview['events'];
  replayed?: boolean;
}

/**
 * Executes a write, or previews it unless `dry_run` is false. If the procedure's own input has `dry_run` or `idempotency_key`, the
 * procedure also gets that argument as input.
 */
async function write(services: Services, call: ToolCall, action: Action): Promise<WriteReply> {
  const { dry_run = true, idempotency_key, cursor } = call.arguments;
  if (cursor !== undefined) throw invalid('cursor', `The action \`${action.name}\` has no such argument.`, 'unrecognized_key');
  if (typeof dry_run !== 'boolean') throw invalid('dry_run', 'Must be true or false.', 'invalid_type');
  if (idempotency_key !== undefined && typeof idempotency_key !== 'string') {
    throw invalid('idempotency_key', 'Must be a string.', 'invalid_type');
  }
  const { shape } = action.procedure.input;
  const input = {
    ...argumentsOf(call, action),
    ...action.fixed,
    ...('dry_run' in shape ? { dry_run } : {}),
    ...('idempotency_key' in shape && idempotency_key !== undefined ? { idempotency_key } : {}),
  };
  const ctx = context(services, call);
  if (!dry_run) {
    const acting = { ...ctx, idempotencyKey: idempotency_key };
    const result = await callProcedure(acting, action.procedure.path, input);
    return { dry_run, result, replayed: acting.reply.replayed ?? false };
  }
  const preview: Preview = { events: [] };
  const result = await callProcedure({ ...ctx, preview }, action.procedure.path, input);
  return { dry_run, result, events: preview.events };
}

function context(services: Services, { caller, requestId }: ToolCall) {
  return { services, requestId, principal: caller, surface: 'mcp' as const, reply: {} as { replayed?: boolean } };
}

/**
 * Returns the arguments that the procedure gets as input, under the names of its fields. Throws VALIDATION_ERROR for arguments that the
 * action does not take.
 */
function argumentsOf({ arguments: given }: ToolCall, action: Action): Record<string, unknown> {
  const fields = Object.entries(given).filter(([name]) => !(CONTROLS as readonly string[]).includes(name));
  // Accepts names of input fields in addition to argument names, because assistants that listed the tools before a field was renamed
  // still send its old name.
  const known = [...action.takes, ...Object.values(action.renamed)];
  const foreign = fields.filter(([name]) => !known.includes(name));
  if (foreign.length > 0) {
    throw validationError(
      foreign.map(([path]) => ({
        path,
        code: 'unrecognized_key',
        message: `The action \`${action.name}\` has no such argument.`,
      })),
    );
  }
  return Object.fromEntries(fields.map(([name, value]) => [action.fieldOf(name), value]));
}

function logFailure({ log }: Services, { tool, requestId, caller }: ToolCall, action: Action | undefined, error: unknown): void {
  const { status, body } = toEnvelope(error);
  const fields = { request_id: requestId, caller_id: caller.id, tool: tool.name, action: action?.name, code: body.code };
  if (status >= 500) log.error({ ...fields, err: error instanceof Error ? (error.cause ?? error) : error }, 'tool call failed');
  else log.info(fields, body.error);
}
