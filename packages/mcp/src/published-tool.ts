import { type Principal, grants, permissionsNeeded } from '@affiliate/core';
import type { Tool as PublishedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Action, Tool } from './define-tool.ts';
import { inputSchema } from './input-schema.ts';
import { outputSchema } from './output-schema.ts';

/** The caller of a tool: a credential with a permission map, never a session. */
export type Assistant = Extract<Principal, { kind: 'api_key' | 'connector' }>;

const published = new WeakMap<Tool, Map<string, PublishedTool>>();

/**
 * Returns a tool as it is listed for a caller, with only the actions that the caller's permissions allow, so that a read-only
 * connector sees read-only tools. Returns null if no action is allowed.
 */
export function publishedTool(tool: Tool, caller: Assistant): PublishedTool | null {
  const actions = tool.actions.filter(({ access }) =>
    permissionsNeeded('mcp', access).every((name) => grants(caller.permissions, name)),
  );
  if (actions.length === 0) return null;
  let forms = published.get(tool);
  if (!forms) published.set(tool, (forms = new Map()));
  const key = actions.map(({ name }) => name).join();
  let form = forms.get(key);
  if (!form) forms.set(key, (form = publish(tool, actions)));
  return form;
}

function publish({ name, title, description, openWorld = false }: Tool, actions: Action[]): PublishedTool {
  const effects = actions.flatMap((action) => action.effects ?? []);
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(actions) as PublishedTool['inputSchema'],
    outputSchema: outputSchema(actions) as PublishedTool['outputSchema'],
    annotations: {
      title,
      readOnlyHint: effects.length === 0,
      destructiveHint: effects.some(({ destructive }) => destructive),
      idempotentHint: effects.every(({ idempotent }) => idempotent),
      openWorldHint: openWorld,
    },
  };
}
