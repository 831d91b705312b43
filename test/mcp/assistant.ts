import type { PermissionMap } from '@affiliate/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Fields } from '../support/http.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';

/** A tool's reply, successful or not. */
export interface ToolReply {
  isError: boolean;
  /** The reply's text, parsed: the result, or the error envelope. */
  body: Fields;
}

/** Calls tools with an official client, of either generation of the protocol. */
export abstract class ToolCaller implements AsyncDisposable {
  abstract readonly client: {
    callTool: (call: { name: string; arguments: Fields }) => Promise<unknown>;
    listTools: () => Promise<{ tools: { name: string; description?: string | undefined; inputSchema: object }[] }>;
    getInstructions: () => string | undefined;
    close: () => Promise<void>;
  };

  async call(tool: string, args: Fields): Promise<ToolReply> {
    const reply = (await this.client.callTool({ name: tool, arguments: args })) as CallToolResult;
    return { isError: reply.isError ?? false, body: JSON.parse(textOf(reply)) as Fields };
  }

  /** Calls a list and returns its records, one object per row. Throws if the call fails. */
  async list(tool: string, args: Fields): Promise<Fields[]> {
    const { columns, rows } = await this.result<{ columns: string[]; rows: unknown[][] }>(tool, args);
    return rows.map((row) => Object.fromEntries(columns.map((column, place) => [column, row[place]])));
  }

  /** Calls a tool and returns the result. Throws if the call fails. */
  async result<Result = Fields>(tool: string, args: Fields): Promise<Result> {
    const { isError, body } = await this.call(tool, args);
    if (isError) throw new Error(`${tool} ${String(args['action'])}: ${JSON.stringify(body)}`);
    return body['result'] as Result;
  }

  /** Previews a call and carries it out with the token of the preview. Returns the reply of the call that failed, or of the write. */
  async carryOut(tool: string, args: Fields): Promise<ToolReply> {
    const preview = await this.call(tool, args);
    if (preview.isError) return preview;
    return this.call(tool, { ...args, dry_run: false, preview_token: preview.body['preview_token'] });
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

/** An AI assistant: the official client. */
export class Assistant extends ToolCaller {
  readonly client = new Client({ name: 'test assistant', version: '1' });

  static async connect(transport: Transport): Promise<Assistant> {
    const assistant = new Assistant();
    await assistant.client.connect(transport);
    await assistant.client.listTools();
    return assistant;
  }

  /** @param query selects tools, e.g. `?read_only=true` */
  static overHttp(service: TestService, token: string, query = ''): Promise<Assistant> {
    const url = new URL(`/mcp${query}`, service.url);
    return Assistant.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    );
  }
}

/** Returns the only text of a reply. Throws if the reply has other content, which would cost tokens a second time. */
export function textOf({ content, structuredContent }: CallToolResult): string {
  const [first, ...others] = content;
  if (first?.type !== 'text' || others.length > 0 || structuredContent !== undefined)
    throw new Error('The reply is not one text.');
  return first.text;
}

/** Creates a connector with the account's key. */
export async function createConnector(
  { api }: Pick<TestAccount, 'api'>,
  input: { permissions?: PermissionMap; allow_promo_code_management?: boolean; expires_at?: string } = {},
): Promise<Outputs['connectors']['create']> {
  const { body } = await api.post<{ result: { data: Outputs['connectors']['create'] } }>('/trpc/connectors.create', {
    name: 'Assistant',
    ...input,
  });
  return body.result.data;
}
