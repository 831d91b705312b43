import { readFileSync } from 'node:fs';
import type { ClientCapabilities, ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';

/** Name of the extension MCP Apps (SEP-1865), under which a client declares that it can show views. */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Media type of a view: a complete HTML document that the client shows in a sandboxed frame. */
const MIME_TYPE = 'text/html;profile=mcp-app';

interface View {
  title: string;
  description: string;
  /** File beside this module. It is built from packages/web. */
  file: string;
}

/** The views, by their URI. A tool names the view in which clients show its replies. */
const VIEWS = {
  'ui://affiliate/payouts': {
    title: 'Payout review',
    description: 'A table of payouts, in which the user marks payouts as paid and holds affiliates',
    file: 'payouts-view.html',
  },
} as const satisfies Readonly<Record<string, View>>;

export type ViewUri = keyof typeof VIEWS;

/** Metadata of every view: it needs no network, and the client draws its border. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/**
 * True unless the client has declared capabilities without the extension. Clients of 2025 declare their capabilities in another request, which another
 * process may have answered. They ignore metadata that they do not know.
 */
export function mayShowViews(capabilities: ClientCapabilities | undefined): boolean {
  if (capabilities === undefined) return true;
  const declared: { mimeTypes?: unknown } | undefined = capabilities.extensions?.[VIEWS_EXTENSION];
  return Array.isArray(declared?.mimeTypes) && declared.mimeTypes.includes(MIME_TYPE);
}

export function listViews(): Resource[] {
  return Object.entries(VIEWS).map(([uri, { title, description, file }]) => ({
    uri,
    name: file.replace('.html', ''),
    title,
    description,
    mimeType: MIME_TYPE,
    _meta: META,
  }));
}

/** Returns a view with its HTML, or null if there is no view with this URI. The HTML has no data of an account. */
export function readView(uri: string): ReadResourceResult | null {
  if (!isViewUri(uri)) return null;
  return { contents: [{ uri, mimeType: MIME_TYPE, text: htmlOf(VIEWS[uri].file), _meta: META }] };
}

function isViewUri(uri: string): uri is ViewUri {
  return Object.hasOwn(VIEWS, uri);
}

const loaded = new Map<string, string>();

function htmlOf(file: string): string {
  const html = loaded.get(file) ?? readFileSync(new URL(file, import.meta.url), 'utf8');
  loaded.set(file, html);
  return html;
}
