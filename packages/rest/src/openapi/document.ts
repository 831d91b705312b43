import { type oas31, createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../routes.ts';
import { addCodeSamples } from './code-samples.ts';
import { CONTRACTS, CONTRACT_NAMES, type ContractName, routesOf } from './contracts.ts';
import { ERROR_SCHEMAS, errorResponses } from './error-responses.ts';
import { eventWebhooks, nameEvents } from './event-webhooks.ts';
import { addExamples } from './examples.ts';
import { describeFields } from './field-texts.ts';
import { FACTS_ERRORS, FACTS_PATH, SCRIPT_ERRORS, TRACKING_SCRIPT } from './hand-written-paths.ts';
import { nameValues } from './named-values.ts';
import { errorStatuses, operationOf } from './operation.ts';
import { ACCOUNT_PARAMETERS, CONDITIONS, IDEMPOTENCY_KEY } from './parameters.ts';
import { responseHeaders } from './response-headers.ts';
import { toOpenApi31 } from './schema-form.ts';
import { tagsOf } from './tags.ts';

export { CONTRACT_NAMES, type ContractName, type oas31 };

/**
 * Builds a contract, an OpenAPI 3.1 document, from the router alone, so that the contract cannot differ from the router. The same router
 * always yields the same bytes. `info.version` is the version of the REST API. `version`, the version of the service, is passed only
 * for the contract that a running process serves. It is omitted from a contract written to a file, so that the file does not change with
 * every release.
 */
export function contractDocument({
  name = 'v1',
  serverUrl,
  version,
}: {
  name?: ContractName;
  serverUrl: string;
  version?: string | undefined;
}): oas31.OpenAPIObject {
  const { title, description, hasTracking } = CONTRACTS[name];
  const routes = routesOf(name);
  const webhooks = hasTracking ? eventWebhooks() : {};
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title,
        version: '1.0.0',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service', url: serverUrl },
        ...(version !== undefined && { 'x-service-version': version }),
      },
      servers: [{ url: serverUrl, description: 'This service.' }],
      security: [{ bearer: [] }, { basic: [] }, { apiKey: [] }],
      tags: tagsOf(routes, hasTracking ? { ...webhooks, ...FACTS_PATH } : {}),
      paths: allPaths(routes, hasTracking),
      ...(hasTracking ? { webhooks } : {}),
      components: {
        // Only the redirects of tracked links refer to the union of all errors.
        ...(hasTracking ? { schemas: ERROR_SCHEMAS } : {}),
        parameters: { ...ACCOUNT_PARAMETERS, IdempotencyKey: IDEMPOTENCY_KEY, ...CONDITIONS },
        headers: responseHeaders({ areDeprecated: routes.some(({ meta }) => meta.rest?.deprecated !== undefined) }),
        responses: errorResponses(
          [...routes.flatMap(errorStatuses), ...(hasTracking ? [...FACTS_ERRORS, ...SCRIPT_ERRORS] : [])],
          hasTracking,
        ),
        securitySchemes: {
          ...SECURITY_SCHEMES,
          ...(hasTracking ? SIGNATURE_SCHEME : {}),
          ...(routes.some(({ meta }) => meta.audience === 'signed_in') ? SESSION_SCHEME : {}),
        },
      },
    },
    { override: toOpenApi31, outputIdSuffix: 'Record' },
  );
  addExamples(document);
  nameBodies(document);
  nameValues(document);
  nameEvents(document);
  stateDefaults(document);
  describeFields(document);
  addCodeSamples(document);
  return document;
}

/** All paths: first the operations with credentials, then the public ones in the order of a visit (link, tracking script, tracking requests). */
function allPaths(routes: readonly Route[], hasTracking: boolean): ZodOpenApiPathsObject {
  return {
    ...pathsOf(routes.filter(({ isOpen }) => !isOpen)),
    ...pathsOf(routes.filter(({ isOpen, method }) => isOpen && method === 'GET')),
    ...(hasTracking ? { ...FACTS_PATH, ...TRACKING_SCRIPT } : {}),
    ...pathsOf(routes.filter(({ isOpen, method }) => isOpen && method !== 'GET')),
  };
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = `${route.mount}${route.template}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

/** Of operations that only signed-in people can call. */
const SESSION_SCHEME: Record<string, oas31.SecuritySchemeObject> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-affiliate.session_token',
    description:
      'Session of a signed-in person: the cookie that `POST /auth/sign-in/email` sets. If the service is reached over http, its name is `affiliate.session_token`.',
  },
};

/** Of signed facts. */
const SIGNATURE_SCHEME: Record<string, oas31.SecuritySchemeObject> = {
  signature: { type: 'apiKey', in: 'header', name: 'webhook-signature', description: 'Signature by Standard Webhooks.' },
};

/** Each operation accepts any one of these three schemes (docs/rules/identity.md#credentials). */
const SECURITY_SCHEMES: Record<string, oas31.SecuritySchemeObject> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'API key as a bearer token: `Authorization: Bearer <API_KEY>`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'API key as the user name, with an empty password: `Authorization: Basic <base64(API_KEY:)>`.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'API key in the `X-Api-Key` header.' },
};

/**
 * States the defaults of fields in their descriptions. Generators of types take a field with a `default` for one that is always there, so in
 * requests it would become required. Parameters keep their `default`.
 */
function stateDefaults({ components }: oas31.OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) stateIn(schema);
}

function stateIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const child of Object.values(value)) stateIn(child);
  const { properties } = value as oas31.SchemaObject;
  for (const property of Object.values(properties ?? {}) as oas31.SchemaObject[]) {
    if (!('default' in property)) continue;
    const stated = `Default: \`${JSON.stringify(property.default)}\`.`;
    delete property.default;
    property.description = [property.description, stated].filter(Boolean).join(' ');
  }
}

/** Moves every unnamed JSON body to the components, and names it after its operation: `campaigns.create` takes a `CampaignsCreateRequest`. */
function nameBodies(document: oas31.OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = schemas;
  const name = (content: oas31.ContentObject, as: string) => {
    const media = content['application/json'];
    if (!media?.schema || '$ref' in media.schema) return;
    if (schemas[as]) throw new Error(`Two schemas are called ${as}.`);
    schemas[as] = media.schema;
    media.schema = { $ref: `#/components/schemas/${as}` };
  };
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]) {
    for (const { operationId = '', requestBody, responses } of Object.values(item as Record<string, oas31.OperationObject>)) {
      const base = pascalCase(operationId);
      if (requestBody && 'content' in requestBody) name(requestBody.content, `${base}Request`);
      for (const [status, response] of Object.entries(responses ?? {}) as [string, oas31.ResponseObject][]) {
        const content = response.content;
        if (content) name(content, `${base}Response${firstSuccess(responses) === status ? '' : status}`);
      }
    }
  }
}

function firstSuccess(responses: oas31.ResponsesObject | undefined): string | undefined {
  return Object.keys(responses ?? {}).find((status) => status.startsWith('2'));
}

function pascalCase(operationId: string): string {
  return operationId
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
