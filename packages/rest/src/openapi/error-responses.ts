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
  412: 'PreconditionFailed',
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

const EXAMPLE_REQUEST = '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e';
const EXAMPLE_MANUAL = 'https://affiliates.example.com/docs/api.md#errors';

const MESSAGE = z.string().meta({ description: 'Human-readable message. Its wording may change.', example: 'No such record.' });

/** Returns the name of the schema of an error: `NOT_FOUND` is a `NotFoundError`. */
function errorName(code: ErrorCode): string {
  const words = code.split('_').filter((word) => word !== 'ERROR');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
}

/** Returns the schemas of the envelopes (docs/rules/platform.md#errors) by code. */
function envelopes(details: Partial<Record<ErrorCode, z.ZodType>>): Record<ErrorCode, z.ZodObject> {
  const envelopeOf = (code: ErrorCode) => {
    const schema = details[code];
    const isAlwaysThere = code === 'VALIDATION_ERROR';
    return z
      .object({
        error: MESSAGE,
        code: z.literal(code).describe('Stable code for programs.'),
        ...(schema ? { details: isAlwaysThere ? schema : schema.optional() } : {}),
        request_id: z
          .string()
          .optional()
          .describe('ID of the request, as in the header `X-Request-Id`. Quote it when you report the error.')
          .meta({ example: EXAMPLE_REQUEST }),
        documentation_url: z.url().optional().describe('Manual that describes the errors.').meta({ example: EXAMPLE_MANUAL }),
      })
      .meta({ id: errorName(code), description: ERRORS[code].when });
  };
  return Object.fromEntries(CODES.map((code) => [code, envelopeOf(code) as z.ZodObject] as const)) as Record<
    ErrorCode,
    z.ZodObject
  >;
}

const ENVELOPES = envelopes(ERROR_DETAILS);
/** The envelopes of a contract without operations that report sales. */
const ENVELOPES_WITHOUT_SALE = envelopes({ ...ERROR_DETAILS, CONFLICT: ConflictWithoutSale });

const toEnvelope = (code: ErrorCode) => `#/components/schemas/${errorName(code)}`;

/** Schemas of errors that no error response lists, and the union of all errors. */
export const ERROR_SCHEMAS: Record<string, oas31.SchemaObject | z.ZodType> = {
  ...Object.fromEntries(CODES.map((code) => [errorName(code), ENVELOPES[code]])),
  ErrorEnvelope: {
    description:
      'The body of every error response. More codes may be added: handle an unknown code by the status of the response.',
    oneOf: CODES.map((code) => ({ $ref: toEnvelope(code) })),
    discriminator: { propertyName: 'code', mapping: Object.fromEntries(CODES.map((code) => [code, toEnvelope(code)])) },
  },
};

/**
 * Returns the error responses for these statuses, by component name.
 *
 * @param isAboutSales true for a contract with operations that report sales
 */
export function errorResponses(statuses: Iterable<number>, isAboutSales: boolean): Record<string, ZodOpenApiResponseObject> {
  const each = [...new Set(statuses)].toSorted((a, b) => a - b);
  return Object.fromEntries(
    each.map((status) => [RESPONSE_NAMES[status]!, errorResponse(status, isAboutSales ? ENVELOPES : ENVELOPES_WITHOUT_SALE)]),
  );
}

/** Returns references to the error responses, for the statuses of one operation. */
export function errorRefs(statuses: readonly number[]): Record<`4${string}` | `5${string}`, oas31.ReferenceObject> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]),
  );
}

function errorResponse(status: number, envelopesByCode: Record<ErrorCode, z.ZodObject>): ZodOpenApiResponseObject {
  const codes = CODES.filter((code) => ERRORS[code].status === status);
  const schemas = codes.map((code) => envelopesByCode[code]);
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
  return { error: message, code, ...details, request_id: EXAMPLE_REQUEST, documentation_url: EXAMPLE_MANUAL };
}
