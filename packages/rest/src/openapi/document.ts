import { type oas31, createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { GUARDED_ROUTES, OPEN_ROUTES, ROUTES, type Route } from '../routes.ts';
import { nameBodies } from './body-names.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { addExamples } from './examples.ts';
import { nameValues } from './named-values.ts';
import { errorStatuses, operationOf } from './operation.ts';
import { ACCOUNT_PARAMETERS, IDEMPOTENCY_KEY } from './parameters.ts';
import { OVERVIEW } from './overview.ts';
import { ERROR_SCHEMAS, errorResponses } from './error-responses.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { toOpenApi31 } from './schema-form.ts';
import { tagsOf } from './tags.ts';
import { SCRIPT_ERRORS, TRACKING_SCRIPT } from './tracking-script.ts';

export type { oas31 };

/**
 * Builds the contract, an OpenAPI 3.1 document, from the router alone, so that the contract cannot differ from the router. The same router
 * always yields the same bytes. `info.version` is the version of the REST API. `version`, the version of the service, is passed only
 * for the contract that a running process serves. It is omitted from a contract written to a file, so that the file does not change with
 * every release.
 */
export function contractDocument({
  serverUrl,
  version,
}: {
  serverUrl: string;
  version?: string | undefined;
}): oas31.OpenAPIObject {
  const webhooks = eventWebhooks();
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Affiliate program service',
        version: '1.0.0',
        description: OVERVIEW,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service', url: serverUrl },
        ...(version !== undefined && { 'x-service-version': version }),
      },
      servers: [{ url: serverUrl, description: 'This service.' }],
      security: [{ bearer: [] }, { basic: [] }, { apiKey: [] }],
      tags: tagsOf(ROUTES, webhooks),
      paths: allPaths(),
      webhooks,
      components: {
        schemas: ERROR_SCHEMAS,
        parameters: { ...ACCOUNT_PARAMETERS, IdempotencyKey: IDEMPOTENCY_KEY },
        headers: RESPONSE_HEADERS,
        responses: errorResponses([...ROUTES.flatMap(errorStatuses), ...SCRIPT_ERRORS]),
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: toOpenApi31, outputIdSuffix: 'Record' },
  );
  addExamples(document);
  nameBodies(document);
  nameValues(document);
  return document;
}

/** All paths: first the operations with credentials, then the public ones in the order of a visit (link, tracking script, tracking requests). */
function allPaths(): ZodOpenApiPathsObject {
  return {
    ...pathsOf(GUARDED_ROUTES),
    ...pathsOf(OPEN_ROUTES.filter(({ method }) => method === 'GET')),
    ...TRACKING_SCRIPT,
    ...pathsOf(OPEN_ROUTES.filter(({ method }) => method !== 'GET')),
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

/** Each operation accepts any one of these three schemes (docs/domain-rules.md#credentials). */
const SECURITY_SCHEMES: Record<string, oas31.SecuritySchemeObject> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'API key as a bearer token: `Authorization: Bearer <API_KEY>`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'API key as the user name, with an empty password: `Authorization: Basic <base64(API_KEY:)>`.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'API key in the `X-Api-Key` header.' },
};
