import { type Principal, grants, permissionsNeeded, invalid, untranslated } from '@affiliate/core';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { type Action, type Tool, type Toolset, TOOLSETS } from './define-tool.ts';
import { inputSchema } from './input-schema.ts';
import type { ViewUri } from './views.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A tool as the protocol lists it, in all its revisions. */
export interface PublishedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, { [keyword: string]: Json }>;
    required: string[];
    additionalProperties: false;
  };
  annotations: ToolAnnotations;
  /** The view in which a client shows the replies (MCP Apps). */
  _meta?: { ui: { resourceUri: ViewUri } };
}

/** The caller of a tool: a credential with a permission map, never a session. */
export type Assistant = Extract<Principal, { kind: 'api_key' | 'connector' }>;

/** The part of the tools that the address of a client is limited to. */
export interface Selection {
  /** True if only tools that never write are offered, whatever the caller's permissions allow. */
  readOnly: boolean;
  /** Null for all toolsets. */
  toolsets: readonly Toolset[] | null;
}

export const EVERYTHING: Selection = { readOnly: false, toolsets: null };

const published = new WeakMap<Tool, Map<string, PublishedTool>>();

/**
 * Returns a tool as it is listed for a caller, with only the actions that the caller's permissions allow, so that a read-only
 * connector sees read-only tools. Returns null if no action is allowed or selected.
 */
export function publishedTool(tool: Tool, caller: Assistant, selection = EVERYTHING): PublishedTool | null {
  const isGranted = (access: Action['access'][number]) =>
    permissionsNeeded('mcp', access).every((name) => grants(caller.permissions, name));
  const actions = selectedActions(tool, selection).filter(({ access }) => access.every(isGranted));
  if (actions.length === 0) return null;
  let forms = published.get(tool);
  if (!forms) published.set(tool, (forms = new Map()));
  const key = actions.map(({ name }) => name).join();
  let form = forms.get(key);
  if (!form) forms.set(key, (form = publish(tool, actions)));
  return form;
}

/** Returns a tool as it is listed for a client that cannot show views. */
export function withoutView({ _meta: _, ...tool }: PublishedTool): PublishedTool {
  return tool;
}

export function selectedActions(tool: Tool, { readOnly, toolsets }: Selection): readonly Action[] {
  if (toolsets !== null && !toolsets.includes(tool.toolset)) return [];
  return readOnly ? tool.actions.filter(({ effects }) => effects === null) : tool.actions;
}

function publish(tool: Tool, actions: Action[]): PublishedTool {
  const { name, title, description, openWorld = false, view } = tool;
  const effects = actions.flatMap((action) => action.effects ?? []);
  return {
    name,
    title,
    description,
    // There is no output schema: a reply with one must repeat its text as structured content, which doubles the tokens of every reply.
    inputSchema: inputSchema(tool, actions) as PublishedTool['inputSchema'],
    annotations: { ...hints(effects), openWorldHint: openWorld },
    ...(view === undefined ? {} : { _meta: { ui: { resourceUri: view } } }),
  };
}

/** The hints about writes have no meaning for a tool that only reads. */
function hints(effects: NonNullable<Action['effects']>[]): PublishedTool['annotations'] {
  if (effects.length === 0) return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: effects.some(({ destructive }) => destructive),
    // A missing hint means false.
    ...(effects.every(({ idempotent }) => idempotent) && { idempotentHint: true }),
  };
}

/**
 * Parses the query of an assistant's address, e.g. `/mcp?toolsets=payouts,sales&read_only=true`. Unknown parameters are refused, because
 * a misspelled `read_only` would otherwise allow writes.
 *
 * @throws VALIDATION_ERROR
 */
export function parseSelection(query: URLSearchParams): Selection {
  const unknown = [...query.keys()].find((name) => name !== 'toolsets' && name !== 'read_only');
  if (unknown !== undefined)
    throw invalid(unknown, untranslated('Unknown parameter. Known parameters: toolsets, read_only.'), 'unrecognized_key');
  const readOnly = query.get('read_only') ?? 'false';
  if (readOnly !== 'true' && readOnly !== 'false')
    throw invalid('read_only', untranslated('Must be true or false.'), 'invalid_value');
  const toolsets = query.get('toolsets')?.split(',') ?? null;
  if (toolsets !== null && !toolsets.every(isToolset))
    throw invalid('toolsets', untranslated(`Must be some of: ${TOOLSETS.join(', ')}.`), 'invalid_value');
  return { readOnly: readOnly === 'true', toolsets };
}

function isToolset(name: string): name is Toolset {
  return (TOOLSETS as readonly string[]).includes(name);
}
