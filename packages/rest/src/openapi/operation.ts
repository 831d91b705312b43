import { ERROR_CODES, neededRole, permissionName } from '@affiliate/core';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { z } from 'zod';
import type { Route } from '../routes.ts';
import { errorRefs } from './error-responses.ts';
import { inputParts } from './parameters.ts';
import { headerRefs } from './response-headers.ts';
import { tagOf } from './tags.ts';

/** The operation of a route: everything in it comes from what its procedure declares. */
export function operationOf(route: Route): ZodOpenApiOperationObject {
  const { openapi, access } = route.meta;
  const { path, query, body } = inputParts(route);
  const needed = access
    ? { permission: permissionName('v1', access.resource, access.action), role: neededRole(access) }
    : undefined;
  return {
    operationId: route.procedure,
    tags: [tagOf(route.procedure)],
    summary: openapi?.summary ?? route.procedure,
    description: [
      openapi?.description ?? openapi?.summary,
      needed && `An API key needs the permission \`${needed.permission}\`, a session the role ${needed.role} or a stronger one.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(needed ? { 'x-permission': needed.permission, 'x-role': needed.role } : {}),
    requestParams: {
      ...(hasFields(path) ? { path } : {}),
      ...(hasFields(query) ? { query } : {}),
    },
    parameters: [ref('AccountIdHeader'), ref('AccountIdQuery'), ...(route.method === 'POST' ? [ref('IdempotencyKey')] : [])],
    ...(hasFields(body)
      ? {
          requestBody: {
            required: Object.values(body.shape).some((field) => (field as z.ZodType)._zod.optin === undefined),
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: { ...successes(route), ...errorRefs(errorStatuses(route)) },
  };
}

/** The statuses of failure that an operation can answer, in order. */
export function errorStatuses({ method, segments, meta }: Route): number[] {
  const statuses = new Set([400, 401, 403, 422, 429, 500]);
  if (segments.some((segment) => 'parameter' in segment)) statuses.add(404);
  if (method !== 'GET') for (const status of [409, 413, 415]) statuses.add(status);
  for (const code of meta.rest?.errors ?? []) statuses.add(ERROR_CODES[code].status);
  return [...statuses].toSorted((a, b) => a - b);
}

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work goes on after this response.',
  204: 'Done; the response has no body.',
};

function successes(route: Route): Record<string, ZodOpenApiResponseObject> {
  const descriptions = { [route.status]: SUCCESS[route.status]!, ...route.meta.rest?.otherStatuses };
  return Object.fromEntries(Object.entries(descriptions).map(([status, when]) => [status, success(route, Number(status), when)]));
}

function success(route: Route, status: number, description: string): ZodOpenApiResponseObject {
  const headers = headerRefs(...(route.method === 'POST' ? (['IdempotentReplayed'] as const) : []));
  if (status === 204) return { description, headers };
  return { description, headers, content: { 'application/json': { schema: route.output } } };
}

function hasFields(object: z.ZodObject): boolean {
  return Object.keys(object.shape).length > 0;
}

function ref(parameter: string): oas31.ReferenceObject {
  return { $ref: `#/components/parameters/${parameter}` };
}
