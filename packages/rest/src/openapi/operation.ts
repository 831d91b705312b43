import { ERRORS, neededRole, permissionsNeeded } from '@affiliate/core';
import type { z } from 'zod';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { isConditional, recordShownBy, retrievesRecord } from '../conditional-requests.ts';
import type { Route } from '../routes.ts';
import { errorRefs } from './error-responses.ts';
import { inputParts } from './parameters.ts';
import { headerRefs } from './response-headers.ts';
import { tagOf } from './tags.ts';

/** Returns the operation of a route, derived from the declaration of its procedure. */
export function operationOf(route: Route): ZodOpenApiOperationObject {
  return route.isOpen ? openOperation(route) : guardedOperation(route);
}

function guardedOperation(route: Route): ZodOpenApiOperationObject {
  const { openapi, access, audience } = route.meta;
  const needed = access ? { permissions: permissionsNeeded('v1', access), role: neededRole(access) } : undefined;
  return {
    operationId: route.procedure,
    ...(route.meta.rest?.deprecated ? { deprecated: true } : {}),
    tags: [tagOf(route.procedure)],
    summary: openapi?.summary ?? route.procedure,
    description: [
      openapi?.description ?? openapi?.summary,
      needed
        ? `API keys need ${permissionsText(needed.permissions)}; sessions need ${roleText(needed.role)}.`
        : WITHOUT_PERMISSION[audience ?? ''],
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(needed
      ? {
          'x-permission': needed.permissions[0],
          ...(needed.permissions.length > 1 ? { 'x-permissions': needed.permissions } : {}),
          'x-role': needed.role,
        }
      : {}),
    ...(audience === 'signed_in' ? { security: [{ session: [] }] } : {}),
    parameters: [
      ref('AccountIdHeader'),
      ref('LivemodeHeader'),
      ref('AccountIdQuery'),
      ...(route.method === 'GET' ? [] : [ref('IdempotencyKey')]),
      ...(isConditional(route) ? [ref('IfMatch')] : []),
      ...(retrievesRecord(route) ? [ref('IfNoneMatch')] : []),
    ],
    ...inputOf(route),
    responses: responsesOf(route),
  };
}

/** Returns the OpenAPI operation of a route that uses no credentials, account context or Idempotency-Key. */
function openOperation(route: Route): ZodOpenApiOperationObject {
  const { openapi } = route.meta;
  return {
    tags: [tagOf(route.procedure)],
    security: [],
    operationId: route.procedure,
    summary: openapi?.summary ?? route.procedure,
    ...(openapi?.description ? { description: openapi.description } : {}),
    ...inputOf(route),
    responses: responsesOf(route),
  };
}

function inputOf(route: Route): Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'> {
  const { path, query, body } = inputParts(route);
  return {
    ...(hasFields(path) || hasFields(query)
      ? { requestParams: { ...(hasFields(path) ? { path } : {}), ...(hasFields(query) ? { query } : {}) } }
      : {}),
    ...(hasFields(body)
      ? {
          requestBody: {
            required: Object.values(body.shape).some((field) => (field as z.ZodType)._zod.optin === undefined),
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    ...(route.meta.maxUploadBytes === undefined ? {} : { requestBody: { required: true, content: FILE } }),
  };
}

/** The body of an operation that takes a file. Any type but those of JSON and forms is accepted. */
const FILE = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary', description: 'The bytes of the file.' } },
} as const;

function responsesOf(route: Route): ZodOpenApiOperationObject['responses'] {
  return { ...successes(route), ...errorRefs(errorStatuses(route)), ...otherwise(route) };
}

/** The callers of the operations that need neither a permission nor a role, by their audience. */
const WITHOUT_PERMISSION: Record<string, string> = {
  account: 'API keys need no permission; sessions need any role.',
  signed_in: 'Only signed-in people can call this operation, with the cookie of their session. API keys get 403.',
};

function permissionsText(names: readonly string[]): string {
  const [last, ...others] = names.map((name) => `\`${name}\``).toReversed();
  return others.length === 0 ? `the permission ${last}` : `the permissions ${others.toReversed().join(', ')} and ${last}`;
}

function roleText(role: string): string {
  if (role === 'invitee') return 'membership in the account or a pending invitation to it';
  return `the role ${role}${role === 'owner' ? '' : ' or higher'}`;
}

/** Returns the error statuses of an operation, in ascending order. */
export function errorStatuses(route: Route): number[] {
  const { method, segments, meta, isOpen } = route;
  const statuses = new Set([422, 429, 500, 503]);
  if (!isOpen) for (const status of [400, 401, 403]) statuses.add(status);
  if (segments.some((segment) => 'parameter' in segment)) statuses.add(404);
  if (method !== 'GET') for (const status of [400, 413, 415]) statuses.add(status);
  if (method !== 'GET' && !isOpen) statuses.add(409);
  if (isConditional(route)) statuses.add(412);
  for (const code of meta.rest?.errors ?? []) statuses.add(ERRORS[code].status);
  return [...statuses].toSorted((a, b) => a - b);
}

const SUCCESS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Processing continues in the background.',
  204: 'Success. The response has no body.',
  302: 'Redirects to the destination.',
};

function successes(route: Route): Record<string, ZodOpenApiResponseObject> {
  const descriptions = { [route.status]: SUCCESS[route.status]!, ...route.meta.rest?.otherStatuses };
  const known = { description: 'You have the current version.', headers: headerRefs('ETag') };
  return {
    ...Object.fromEntries(Object.entries(descriptions).map(([status, when]) => [status, success(route, Number(status), when)])),
    ...(retrievesRecord(route) ? { 304: known } : {}),
  };
}

/** Returns a default response for an operation that succeeds with a redirect: linters accept it in place of the missing 2xx response. */
function otherwise(route: Route): Record<string, ZodOpenApiResponseObject> {
  if (route.status !== 302) return {};
  const schema = { $ref: '#/components/schemas/ErrorEnvelope' } as const;
  return { default: { description: 'Any other error.', headers: headerRefs(), content: { 'application/json': { schema } } } };
}

function success(route: Route, status: number, description: string): ZodOpenApiResponseObject {
  if (status === 302) return redirect(route, description);
  const isReplayable = route.method !== 'GET' && !route.isOpen;
  const hasTag = recordShownBy(route) !== null;
  const isDeprecated = route.meta.rest?.deprecated !== undefined;
  const isAnnounced = status === 202 && route.meta.rest?.location !== undefined;
  const headers = {
    ...headerRefs(
      ...(isReplayable ? (['IdempotentReplayed'] as const) : []),
      ...(isAnnounced ? (['RetryAfter'] as const) : []),
      ...(hasTag ? (['ETag'] as const) : []),
      ...(isDeprecated ? (['Deprecation', 'Sunset'] as const) : []),
    ),
    ...(isAnnounced ? { Location: PROGRESS } : {}),
  };
  if (status === 204) return { description, headers };
  if (route.meta.rest?.csv)
    return { description, headers, content: { 'text/csv': { schema: { type: 'string' }, example: CSV_EXAMPLE } } };
  return { description, headers, content: { 'application/json': { schema: route.output } } };
}

const PROGRESS: oas31.HeaderObject = {
  description: 'Path of the record, which shows the progress.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

const CSV_EXAMPLE = 'id,created_at\r\nref_01k9v7m3q8e2t4r6w8y0a1b2c3,2026-11-01T09:00:00.000Z\r\n';

function redirect({ meta }: Route, description: string): ZodOpenApiResponseObject {
  const cookie = meta.rest?.cookie;
  return {
    description,
    headers: {
      ...headerRefs(),
      Location: {
        description: 'URL of the destination.',
        required: true,
        schema: { type: 'string', format: 'uri-reference' },
      },
      ...(cookie === undefined ? {} : { 'Set-Cookie': { description: cookie, schema: { type: 'string' } } }),
    },
    content: Object.fromEntries(
      ['text/plain', 'text/html'].map((type) => [type, { schema: { type: 'string' }, example: 'Found' }]),
    ),
  };
}

function hasFields(object: z.ZodObject): boolean {
  return Object.keys(object.shape).length > 0;
}

function ref(parameter: string): oas31.ReferenceObject {
  return { $ref: `#/components/parameters/${parameter}` };
}
