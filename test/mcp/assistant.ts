import type { PermissionMap } from '@affiliate/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import type { Fields } from '../support/http.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';

/** A tool's reply, successful or not. */
export interface ToolReply {
  isError: boolean;
  /** The structured content, or the error envelope. */
  body: Fields;
}

/** Compiles each schema once for all clients, because hundreds of clients list the same tools. */
class OnceCompiled extends AjvJsonSchemaValidator {
  readonly #known = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validator = this.#known.get(text) ?? super.getValidator(schema);
    this.#known.set(text, validator);
    return validator as JsonSchemaValidator<T>;
  }
}

const jsonSchemaValidator = new OnceCompiled();

/** An AI assistant: the official client, which validates every reply against the tool's output schema. */
export class Assistant implements AsyncDisposable {
  readonly client = new Client({ name: 'test assistant', version: '1' }, { jsonSchemaValidator });

  static async connect(transport: Transport): Promise<Assistant> {
    const assistant = new Assistant();
    await assistant.client.connect(transport);
    await assistant.client.listTools();
    return assistant;
  }

  static overHttp(service: TestService, token: string): Promise<Assistant> {
    const url = new URL('/mcp', service.url);
    return Assistant.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    );
  }

  async call(tool: string, args: Fields): Promise<ToolReply> {
    const {
      isError = false,
      structuredContent,
      content,
    } = (await this.client.callTool({
      name: tool,
      arguments: args,
    })) as CallToolResult;
    const [first] = content;
    const body = structuredContent ?? (JSON.parse(first?.type === 'text' ? first.text : '') as Fields);
    return { isError, body };
  }

  /** Calls a tool and returns the result. Throws if the call fails. */
  async result<Result = Fields>(tool: string, args: Fields): Promise<Result> {
    const { isError, body } = await this.call(tool, args);
    if (isError) throw new Error(`${tool} ${String(args['action'])}: ${JSON.stringify(body)}`);
    return body['result'] as Result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
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
