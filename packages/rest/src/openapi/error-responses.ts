import { ERRORS, ERROR_DETAILS, type ErrorCode, exampleOf } from '@affiliate/core';
import { z } from 'zod';
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi';
import { headerRefs } from './response-headers.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const RESPONSE_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'ProviderError',
  503: 'Unavailable',
};

/** Schema of a CONFLICT in a contract without operations that report sales. */
const ConflictWithoutSale = ERROR_DETAILS.CONFLICT.pick({ reason: true }).meta(ERROR_DETAILS.CONFLICT.meta()!);

/**
 * Returns the schema of `details` by error code. A code that is not listed has no `details`.
 *
 * @param isAboutSales true for a contract with operations that report sales
 */
function detailsOf(isAboutSales: boolean): Partial<Record<ErrorCode, z.ZodType>> {
  return isAboutSales ? ERROR_DETAILS : { ...ERROR_DETAILS, CONFLICT: ConflictWithoutSale };
}

const MESSAGE = z.string().meta({ description: 'Human-readable message. Its wording may change.', example: 'No such record.' });

/** Schema of the envelope of one code (docs/rules/platform.md#errors). */
function envelopeOf(code: ErrorCode, details: z.ZodType | undefined): z.ZodObject {
  const isAlwaysThere = code === 'VALIDATION_ERROR';
  return z.object({
    error: MESSAGE,
    code: z.literal(code),
    ...(details ? { details: isAlwaysThere ? details : details.optional() } : {}),
  });
}

/** Schemas that error responses of every code share. */
export const ERROR_SCHEMAS: Record<string, oas31.SchemaObject> = {
  ErrorEnvelope: {
    type: 'object',
    description: 'The body of every error response.',
    properties: {
      error: { type: 'string', description: 'Human-readable message. Its wording may change.', examples: ['No such record.'] },
      code: {
        type: 'string',
        enum: CODES,
        description: 'Stable code for programs.',
        examples: ['NOT_FOUND'],
      },
      details: { description: 'Details of the error. Their structure depends on `code`.' },
    },
    required: ['error', 'code'],
    additionalProperties: false,
  },
};

/**
 * Returns the error responses for these statuses, by component name.
 *
 * @param isAboutSales true for a contract with operations that report sales
 */
export function errorResponses(statuses: Iterable<number>, isAboutSales: boolean): Record<string, ZodOpenApiResponseObject> {
  const each = [...new Set(statuses)].toSorted((a, b) => a - b);
  return Object.fromEntries(each.map((status) => [RESPONSE_NAMES[status]!, errorResponse(status, detailsOf(isAboutSales))]));
}

/** Returns references to the error responses, for the statuses of one operation. */
export function errorRefs(statuses: readonly number[]): Record<`4${string}` | `5${string}`, oas31.ReferenceObject> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]),
  );
}

function errorResponse(status: number, details: ReturnType<typeof detailsOf>): ZodOpenApiResponseObject {
  const codes = CODES.filter((code) => ERRORS[code].status === status);
  const schemas = codes.map((code) => envelopeOf(code, details[code]));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    headers: {
      ...headerRefs(
        ...(status === 429 || status === 503 ? (['RetryAfter'] as const) : []),
        ...(status === 401 ? (['WWWAuthenticate'] as const) : []),
      ),
    },
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0]! : z.discriminatedUnion('code', schemas as [z.ZodObject, z.ZodObject]),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: ERRORS[code].when, value: envelopeExample(code) }])),
      },
    },
  };
}

function envelopeExample(code: ErrorCode): unknown {
  const { message, ...details } = exampleOf(code);
  return { error: message, code, ...details };
}
