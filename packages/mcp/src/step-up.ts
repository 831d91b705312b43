import {
  CONSENT_PERMISSIONS,
  DomainError,
  type Services,
  beginAuditEntry,
  completeAuditEntry,
  grants,
  permissionsNeeded,
  untranslated,
} from '@affiliate/core';
import type { Action, Tool } from './define-tool.ts';
import { type Assistant, type Selection, selectedActions } from './published-tool.ts';
import { REQUEST_ACCESS, requestedPermissions } from './request-access.ts';
import { TOOLS } from './tools/index.ts';

/** A call for which a connector lacks permissions that a person can grant. */
interface LackingCall {
  /** The tool and the action, or null for a call that only asks for access. */
  called: { tool: Tool; action: Action; arguments: Record<string, unknown> } | null;
  permissions: string[];
}

/**
 * Finds a call that lacks permissions, in a request of a connector that a person authorized. The client can then ask the person for more
 * (MCP, Authorization, Step-Up Authorization Flow). Null for permissions that nobody can grant to a connector: such a call gets its own error.
 *
 * @param body JSON of the request: a message, or a list of messages
 */
export function findLackingCall(caller: Assistant, body: unknown, selection: Selection): LackingCall | null {
  if (caller.kind !== 'connector' || !caller.consented) return null;
  for (const call of [body].flat().flatMap(toolCallOf)) {
    const lacking = lackingCall(caller, call, selection);
    if (lacking) return lacking;
  }
  return null;
}

interface ToolCallParams {
  name: unknown;
  arguments: Record<string, unknown>;
}

/** Returns the call of a tool, or nothing for another message. The protocol library validates the message later. */
function toolCallOf(message: unknown): ToolCallParams[] {
  if (!isObject(message) || message['method'] !== 'tools/call' || !isObject(message['params'])) return [];
  const { name, arguments: given } = message['params'];
  return [{ name, arguments: isObject(given) ? given : {} }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lackingCall(caller: Assistant, { name, arguments: given }: ToolCallParams, selection: Selection): LackingCall | null {
  if (name === REQUEST_ACCESS) {
    const permissions = requestedPermissions(given).filter((permission) => !grants(caller.permissions, permission));
    return permissions.length > 0 ? { called: null, permissions } : null;
  }
  const tool = TOOLS.find((each) => each.name === name);
  const action = tool && selectedActions(tool, selection).find((each) => each.name === given['action']);
  if (!tool || !action) return null;
  const permissions = action.access
    .flatMap((access) => permissionsNeeded('mcp', access))
    .filter((permission, place, all) => !grants(caller.permissions, permission) && all.indexOf(permission) === place);
  if (permissions.length === 0 || !permissions.every((permission) => CONSENT_PERMISSIONS.includes(permission))) return null;
  return { called: { tool, action, arguments: given }, permissions };
}

/**
 * Refuses a call that lacks permissions. A refused write gets its entry of the audit log, like every write.
 *
 * @returns the error, and the scopes for which the client should ask: those that it has, and those that it lacks
 */
export async function refuseLackingCall(
  services: Services,
  caller: Assistant,
  { called, permissions }: LackingCall,
  requestId: string,
): Promise<{ error: DomainError; scopes: string[] }> {
  if (called && called.action.effects !== null) {
    const { tool, action, arguments: given } = called;
    const preview = given['dry_run'] !== false;
    const entry = await beginAuditEntry(services, caller, {
      tool: tool.name,
      action: action.name,
      arguments: given,
      preview,
      requestId,
    });
    await completeAuditEntry(services, entry, 'FORBIDDEN');
  }
  const error = new DomainError(
    'FORBIDDEN',
    untranslated(
      `The user must first allow: ${permissions.join(', ')}. If the assistant does not ask them, they can allow it at ${services.publicUrl}/settings/connectors.`,
    ),
    { permissions },
  );
  const scopes = CONSENT_PERMISSIONS.filter((name) => grants(caller.permissions, name) || permissions.includes(name));
  return { error, scopes };
}
