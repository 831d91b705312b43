import { CONSENT_PERMISSIONS, grants, invalid, untranslated } from '@affiliate/core';
import type { Assistant, PublishedTool } from './published-tool.ts';

export const REQUEST_ACCESS = 'request_access';

const RESOURCES = [...new Set(CONSENT_PERMISSIONS.map((name) => name.split('.')[1]!))];

/**
 * The tool with which an assistant asks the user for more access. Without it, an assistant could not do so, because it is not offered the
 * actions that it is not allowed. The step-up of the protocol answers the call until the user has decided (`step-up.ts`).
 */
const TOOL: PublishedTool = {
  name: REQUEST_ACCESS,
  title: 'Request access',
  description: `Asks the user for permissions to use actions that are not listed yet, e.g. to approve, to review or to pay. Then list the tools again. Resources: ${RESOURCES.join(', ')}.`,
  inputSchema: {
    type: 'object',
    properties: {
      permissions: {
        type: 'array',
        items: { type: 'string' },
        description: 'e.g. ["payouts.write", "commissions.read"]',
      },
    },
    required: ['permissions'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Returns the tool for an assistant that a person authorized and that could be granted more. Null for other assistants. */
export function requestAccessTool(caller: Assistant): PublishedTool | null {
  if (caller.kind !== 'connector' || !caller.consented) return null;
  return CONSENT_PERMISSIONS.every((name) => grants(caller.permissions, name)) ? null : TOOL;
}

/** Returns the known permissions among those that a call asks for. A name may be given without its surface: `payouts.write`. */
export function requestedPermissions({ permissions }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(permissions)) return [];
  return CONSENT_PERMISSIONS.filter((name) =>
    permissions.some((requested) => name === requested || name.split('.').slice(1).join('.') === requested),
  );
}

/** Answers a call whose permissions are all granted. Throws VALIDATION_ERROR for a call that asks for no known permission. */
export function accessReply(caller: Assistant, given: Readonly<Record<string, unknown>>): { result: { granted: string[] } } {
  if (requestedPermissions(given).length === 0)
    throw invalid('permissions', untranslated(`Must be some of: ${CONSENT_PERMISSIONS.join(', ')}.`), 'invalid_value');
  return { result: { granted: CONSENT_PERMISSIONS.filter((name) => grants(caller.permissions, name)) } };
}
