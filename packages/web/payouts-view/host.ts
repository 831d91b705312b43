import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
} from '@modelcontextprotocol/ext-apps';

/** A reply of a tool. */
export interface ToolReply {
  content: readonly { type: string; text?: string }[];
  isError?: boolean;
}

/** Functions that the view provides. */
export interface Listeners {
  /** Called with the arguments of the call whose reply the view shows. */
  onToolInput: (given: Readonly<Record<string, unknown>>) => void;
  onToolResult: (reply: ToolReply) => void;
  onToolCanceled: () => void;
  /** Called with the changed parts of the context. */
  onContext: (context: McpUiHostContext) => void;
}

/** The host of this view: the assistant that shows it. */
export interface Host {
  capabilities: McpUiHostCapabilities;
  /** Calls a tool of the service as the assistant. Throws if the host or the connection refuses the call. */
  callTool: (name: string, given: Readonly<Record<string, unknown>>) => Promise<ToolReply>;
  /** Sends a notification. */
  notify: (method: string, params: object) => void;
  request: (method: string, params: object) => Promise<unknown>;
}

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
}

const METHOD_NOT_FOUND = -32_601;

/**
 * Connects the view to its host over messages between frames (MCP Apps, revision 2026-01-26). The library of the extension would do the same, but is
 * fifty times as large as the rest of the view.
 */
export async function connectToHost(listeners: Listeners): Promise<Host> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  const send = (message: Omit<Message, 'jsonrpc'>) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      send({ id: last, method, params: params as Record<string, unknown> });
    });
  const notify = (method: string, params: object) => send({ method, params: params as Record<string, unknown> });

  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params = {}, result, error } = data;
    if (method === undefined) {
      const call = waiting.get(Number(id));
      waiting.delete(Number(id));
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    } else if (id !== undefined) {
      if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
      else send({ id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } as Message['error'] });
    } else receive(method, params);
  });

  function receive(method: string, params: Record<string, unknown>): void {
    if (method === 'ui/notifications/tool-input') listeners.onToolInput((params['arguments'] ?? {}) as Record<string, unknown>);
    else if (method === 'ui/notifications/tool-result') listeners.onToolResult(params as unknown as ToolReply);
    else if (method === 'ui/notifications/tool-cancelled') listeners.onToolCanceled();
    else if (method === 'ui/notifications/host-context-changed') listeners.onContext(params);
  }

  const { hostCapabilities, hostContext } = (await request('ui/initialize', {
    appInfo: { name: 'payouts', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: '2026-01-26',
  } satisfies McpUiInitializeRequest['params'])) as McpUiInitializeResult;
  listeners.onContext(hostContext);
  notify('ui/notifications/initialized', {});
  return {
    capabilities: hostCapabilities,
    request,
    notify,
    callTool: (name, given) => request('tools/call', { name, arguments: given }) as Promise<ToolReply>,
  };
}

/** Tells the host the height of the document, now and after each change. */
export function reportHeight({ notify }: Host): void {
  let known = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height !== known) notify('ui/notifications/size-changed', { height: (known = height) });
  }).observe(document.documentElement);
}
