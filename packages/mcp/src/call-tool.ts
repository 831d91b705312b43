import {
  type Preview,
  type Progress,
  type Services,
  beginAuditEntry,
  callProcedure,
  completeAuditEntry,
  invalid,
  readClientInput,
  storePreview,
  toEnvelope,
  validationError,
  untranslated,
} from '@affiliate/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onlyChanges } from './changes.ts';
import { type Action, CONTROLS, type Tool, fieldsOfList } from './define-tool.ts';
import { errorReply } from './error-reply.ts';
import { fitReply } from './fit-reply.ts';
import { listReply, readColumns, readCursor } from './list-page.ts';
import { type Assistant, type Selection, selectedActions } from './published-tool.ts';

export interface ToolCall {
  tool: Tool;
  arguments: Readonly<Record<string, unknown>>;
  caller: Assistant;
  selection: Selection;
  requestId: string;
  /** Undefined unless the client asked for progress. */
  onProgress: ((progress: Progress) => void) | undefined;
}

/** Executes one tool call. Errors are returned as replies, never thrown. */
export async function callTool(services: Services, received: ToolCall): Promise<CallToolResult> {
  const call = { ...received, arguments: withoutEmptyControls(received.arguments) };
  let action: Action | undefined;
  try {
    action = findAction(call);
    const reply = action.procedure.type === 'query' ? await read(services, call, action) : await audited(services, call, action);
    return { content: [{ type: 'text', text: JSON.stringify(action.procedure.type === 'query' ? reply : fitReply(reply)) }] };
  } catch (error) {
    logFailure(services, call, action, error);
    return errorReply(error, { action, requestId: call.requestId });
  }
}

/** Leaves out controls that are null, as clients send them that fill in every argument. */
function withoutEmptyControls(given: ToolCall['arguments']): ToolCall['arguments'] {
  const isEmpty = ([name, value]: [string, unknown]) => value === null && (CONTROLS as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(given).filter((entry) => !isEmpty(entry)));
}

function findAction({ tool, selection, arguments: { action: name } }: ToolCall): Action {
  const actions = selectedActions(tool, selection);
  const action = actions.find((each) => each.name === name);
  if (!action)
    throw invalid('action', untranslated(`Must be one of: ${actions.map((each) => each.name).join(', ')}.`), 'invalid_value');
  return action;
}

async function read(services: Services, call: ToolCall, action: Action): Promise<object> {
  const { cursor, fields } = call.arguments;
  refuseControls(call, action, action.columns === null ? ['cursor', 'fields', 'preview_token'] : ['preview_token']);
  const columns = action.columns && readColumns(fields, action.columns, fieldsOfList(action.procedure)!);
  const place = cursor === undefined ? null : readCursor(cursor);
  const given = await argumentsOf(services, call, action);
  const input = { ...given, ...action.fixed, ...(place && action.isPaged ? { page: place.page, limit: place.limit } : {}) };
  const results = await Promise.all([
    callProcedure(context(services, call), action.procedure.path, input),
    ...action.beside.map((further) => callProcedure(context(services, call), further.procedure, further.input(given))),
  ]);
  const [result, ...beside] = results;
  if (columns) {
    const expanded = fields === undefined && Array.isArray(given['expand']) ? (given['expand'] as string[]) : [];
    return listReply(result as Parameters<typeof listReply>[0], [...columns, ...expanded], place?.skip);
  }
  return fitReply({
    result,
    ...Object.fromEntries(action.beside.map(({ name }, place) => [name, beside[place]])),
    ...(action.page === null ? {} : { page: `${services.publicUrl}${action.page}/${String(given['id'])}` }),
  });
}

/** Throws VALIDATION_ERROR if the call has a control that the action does not take. */
function refuseControls({ arguments: given }: ToolCall, action: Action, controls: readonly (typeof CONTROLS)[number][]): void {
  const foreign = controls.find((control) => given[control] !== undefined);
  if (foreign !== undefined)
    throw invalid(foreign, untranslated(`The action \`${action.name}\` has no such argument.`), 'unrecognized_key');
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
    const reply = await write(services, call, action, entry);
    await completeAuditEntry(services, entry, reply.replayed ? 'replayed' : 'succeeded', preview ? undefined : reply.result);
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
  /** Token with which the previewed call can be carried out, and its expiry. For actions that move money. */
  preview_token?: string;
  expires_at?: string;
  replayed?: boolean;
}

/**
 * Executes a write, or previews it unless `dry_run` is false. If the procedure's own input has `dry_run` or `idempotency_key`, the
 * procedure also gets that argument as input.
 */
async function write(services: Services, call: ToolCall, action: Action, entry: string): Promise<WriteReply> {
  const { dry_run = true, idempotency_key, preview_token } = call.arguments;
  refuseControls(call, action, ['cursor', 'fields']);
  if (typeof dry_run !== 'boolean') throw invalid('dry_run', untranslated('Must be true or false.'), 'invalid_type');
  if (idempotency_key !== undefined && typeof idempotency_key !== 'string') {
    throw invalid('idempotency_key', untranslated('Must be a string.'), 'invalid_type');
  }
  if (preview_token !== undefined && typeof preview_token !== 'string') {
    throw invalid('preview_token', untranslated('Must be a string.'), 'invalid_type');
  }
  if (!action.procedure.meta.confirmed) refuseControls(call, action, ['preview_token']);
  const { shape } = action.procedure.input;
  const input = {
    ...(await argumentsOf(services, call, action)),
    ...action.fixed,
    ...('dry_run' in shape ? { dry_run } : {}),
    ...('idempotency_key' in shape && idempotency_key !== undefined ? { idempotency_key } : {}),
  };
  const ctx = { ...context(services, call), audited: { entry } };
  if (!dry_run) {
    const acting = { ...ctx, idempotencyKey: idempotency_key, previewToken: preview_token };
    const made = await callProcedure(acting, action.procedure.path, input);
    const { result } = onlyChanges(withoutHidden(made, action), []);
    return { dry_run, result, replayed: acting.reply.replayed ?? false };
  }
  const preview: Preview = { events: [] };
  const made = await callProcedure({ ...ctx, preview }, action.procedure.path, input);
  return {
    dry_run,
    ...onlyChanges(withoutHidden(made, action), preview.events),
    ...(await storePreview(services, call.caller, preview)),
  };
}

/** Leaves out the secrets of a result: replies stay in transcripts. */
function withoutHidden(result: unknown, { hides }: Action): unknown {
  if (hides.length === 0) return result;
  return Object.fromEntries(Object.entries(result as object).filter(([name]) => !hides.includes(name)));
}

function context(services: Services, { caller, requestId, onProgress }: ToolCall) {
  return { services, requestId, principal: caller, surface: 'mcp' as const, onProgress, reply: {} as { replayed?: boolean } };
}

/**
 * Returns the arguments that the procedure gets as input, under the names of its fields. Throws VALIDATION_ERROR for arguments that the
 * action does not take.
 */
async function argumentsOf(
  services: Services,
  { arguments: given, caller }: ToolCall,
  action: Action,
): Promise<Record<string, unknown>> {
  const fields = Object.entries(given).filter(([name]) => !(CONTROLS as readonly string[]).includes(name));
  const known = [...action.takes, ...(action.isPaged ? ['page'] : [])];
  const foreign = fields.filter(([name]) => !known.includes(name));
  if (foreign.length > 0) {
    throw validationError(
      foreign.map(([path]) => ({
        path,
        code: 'unrecognized_key',
        message: untranslated(`The action \`${action.name}\` has no such argument.`),
      })),
    );
  }
  const { type, input: schema, meta } = action.procedure;
  // A read has nothing to clear, so every null in it, even in place of a list, means that the argument is not given.
  const meant = type === 'query' ? fields.filter(([, value]) => value !== null) : fields;
  const input = Object.fromEntries(meant.map(([name, value]) => [action.fieldOf(name), structuredClone(value)]));
  const nulls = meta.openapi?.method === 'PATCH' ? 'kept' : 'absent';
  await readClientInput(services, caller, schema, input, { nulls, loosely: true });
  return input;
}

function logFailure({ log }: Services, { tool, requestId, caller }: ToolCall, action: Action | undefined, error: unknown): void {
  const { status, body } = toEnvelope(error);
  const fields = { request_id: requestId, caller_id: caller.id, tool: tool.name, action: action?.name, code: body.code };
  if (status >= 500) log.error({ ...fields, err: error instanceof Error ? (error.cause ?? error) : error }, 'tool call failed');
  else log.info(fields, body.error);
}
