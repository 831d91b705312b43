import { CONTRACT_NAMES, contractDocument, type oas31 } from '@affiliate/rest/contract';
import type { Schema } from './type-text.ts';

/** A parameter or a field of a request. */
export interface InputField {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** An operation of the REST APIs, as clients call it. */
export interface Operation {
  /** Group of operations and name in it, e.g. `affiliates` and `list`. */
  group: string;
  name: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  pathParameters: string[];
  query: InputField[];
  /** Name of the schema of the body. */
  body: string | null;
  takesFile: boolean;
  /** Name of the schema of the response. Null for a response without a body. */
  response: string | null;
  isDeprecated: boolean;
}

/** Everything that clients of the REST APIs are made of. */
export interface Contract {
  operations: Operation[];
  /** Descriptions of the groups, by group. */
  groups: Map<string, string>;
  schemas: Map<string, Schema>;
  /** Schema of `details` by error code, or null for a code without details. */
  errorDetails: Map<string, { schema: Schema; isRequired: boolean } | null>;
  /** Name of the schema of each event, by type. */
  events: Map<string, string>;
}

/** Reads the contracts. Leaves out the operations that a program with an API key cannot call. */
export function readContract(): Contract {
  const contract: Contract = {
    operations: [],
    groups: new Map(),
    schemas: new Map(),
    errorDetails: new Map(),
    events: new Map(),
  };
  for (const name of CONTRACT_NAMES) {
    const document = contractDocument({ name, serverUrl: 'https://affiliates.example.com' });
    for (const [path, item] of Object.entries(document.paths ?? {}))
      for (const [method, operation] of Object.entries(item as Record<string, oas31.OperationObject>))
        if (isForPrograms(operation)) contract.operations.push(operationOf(method.toUpperCase(), path, operation));
    for (const [each, schema] of Object.entries(document.components?.schemas ?? {}))
      if (!contract.schemas.has(each)) contract.schemas.set(each, schema);
    for (const { name: tag, description = '' } of document.tags ?? []) contract.groups.set(groupOfTag(tag), description);
    readErrors(document, contract);
    for (const [type, item] of Object.entries(document.webhooks ?? {}))
      contract.events.set(type, nameOf(contentOf(item.post!.requestBody as oas31.RequestBodyObject)!));
  }
  return contract;
}

/** False for operations of signed-in people, for signed deliveries, for redirects and for files. */
function isForPrograms({ security, responses = {} }: oas31.OperationObject): boolean {
  const isOther = security?.some((scheme) => 'session' in scheme || 'signature' in scheme) ?? false;
  return !isOther && !('302' in responses) && (successOf(responses) !== null || '204' in responses);
}

function operationOf(method: string, path: string, operation: oas31.OperationObject): Operation {
  const [group, name] = operation.operationId!.split('.') as [string, string];
  const parameters = (operation.parameters ?? []).filter((each): each is oas31.ParameterObject => 'name' in each);
  const success = successOf(operation.responses ?? {});
  const body = contentOf(operation.requestBody as oas31.RequestBodyObject | undefined);
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map((parameter): InputField => ({
      name: parameter.name,
      schema: { ...(parameter.schema as Schema), description: parameter.description },
      isRequired: parameter.required === true,
    }));
  return {
    group,
    name,
    method,
    path,
    summary: operation.summary!,
    description: operation.description?.split('\n\nAPI keys need')[0] ?? '',
    pathParameters: parameters.filter(({ in: place }) => place === 'path').map((parameter) => parameter.name),
    // Fields may be in the query or in the body. Clients send those of a DELETE in the query, because proxies drop such bodies.
    query: body && method !== 'DELETE' ? [] : query,
    body: body && method !== 'DELETE' ? nameOf(body) : null,
    takesFile: 'application/octet-stream' in ((operation.requestBody as oas31.RequestBodyObject | undefined)?.content ?? {}),
    response: success && nameOf(success),
    isDeprecated: operation.deprecated === true,
  };
}

/** Returns the schema of the successful response, or null if it has no JSON. */
function successOf(responses: oas31.ResponsesObject): Schema | null {
  const status = Object.keys(responses).find((each) => each.startsWith('2'));
  return contentOf(responses[status as '200'] as oas31.ResponseObject | undefined);
}

function contentOf(part: oas31.RequestBodyObject | oas31.ResponseObject | undefined): Schema | null {
  return (part?.content?.['application/json']?.schema as Schema | undefined) ?? null;
}

function nameOf({ $ref }: Schema): string {
  return $ref!.split('/').at(-1)!;
}

/** Returns the group of operations with a tag: `Webhook endpoints` describes `webhookEndpoints`. */
function groupOfTag(tag: string): string {
  const [first = '', ...others] = tag.split(' ');
  const start = /^[A-Z]+$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1);
  return start + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function readErrors({ components }: oas31.OpenAPIObject, { errorDetails, schemas }: Contract): void {
  const responses = Object.values(components?.responses ?? {}).map((response) => contentOf(response as oas31.ResponseObject)!);
  const envelope = components?.schemas?.['ErrorEnvelope'] as Schema | undefined;
  for (const schema of [...responses, ...(envelope ? [envelope] : [])]) {
    for (const option of schema.oneOf ?? [schema]) {
      const { properties, required } = schemas.get(nameOf(option))!;
      const code = properties!['code']!.const as string;
      const details = properties!['details'];
      if (!errorDetails.has(code))
        errorDetails.set(code, details ? { schema: details, isRequired: required?.includes('details') ?? false } : null);
    }
  }
}
