import { ERRORS, type ErrorCode, exampleOf } from '@affiliate/core';
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

const operationId: oas31.SchemaObject = {
  type: 'object',
  properties: { operation_id: { type: 'string', description: 'ID of the operation at the payment provider.' } },
};

const retryAfter: oas31.SchemaObject = {
  type: 'object',
  properties: { retry_after: { type: 'integer', description: 'Seconds to wait, as in the header `Retry-After`.' } },
};

/** Fields of the `details` of a CONFLICT. */
const CONFLICT_FIELDS: Record<string, oas31.SchemaObject> = {
  reason: { type: 'string', description: 'Stable code of the conflict, for programs, if the operation has several.' },
};

/** Further fields of the `details` of a CONFLICT, for a contract with operations that report sales. */
const REPORTED_FIELDS: Record<string, oas31.SchemaObject | oas31.ReferenceObject> = {
  fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'With `other_values`: the fields of a reported sale or refund that differ from the first report.',
  },
  sale: { $ref: '#/components/schemas/Sale', description: 'With `other_values`: the stored sale.' },
  refund: {
    type: 'object',
    properties: { refund_id: { type: 'string' }, amount_cents: { type: 'integer' } },
    description: 'With `other_values` of a refund: the stored refund.',
  },
  commission: {
    description: 'With `other_values`: the commission of the stored sale, or `null`.',
    oneOf: [{ $ref: '#/components/schemas/PlainCommission' }, { type: 'null' }],
  },
};

type DetailsByCode = Partial<Record<ErrorCode, oas31.SchemaObject>>;

/** Schema of `details` by error code. A code that is not listed has no `details`. */
const detailsOf = (isAboutSales: boolean): DetailsByCode => ({
  VALIDATION_ERROR: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/ValidationDetail' } },
  FORBIDDEN: {
    type: 'object',
    properties: { permission: { type: 'string', description: 'Missing permission.' } },
  },
  CONFLICT: { type: 'object', properties: { ...CONFLICT_FIELDS, ...(isAboutSales ? REPORTED_FIELDS : {}) } },
  RATE_LIMITED: retryAfter,
  UNAVAILABLE: retryAfter,
  OPERATION_PENDING: operationId,
  RECONCILIATION_REQUIRED: operationId,
  PSP_ERROR: {
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        description: 'Reason: `unreachable`, `timeout`, `unavailable`, `rate_limited`, `authentication` or `permission`.',
      },
      psp_code: { type: 'string', description: 'Error code of the payment provider.' },
      psp_request_id: { type: 'string', description: 'Request ID of the payment provider. Quote it to the provider’s support.' },
    },
  },
});

/** Schemas of the error envelope and of one validation problem (docs/rules/platform.md#errors). */
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
  ValidationDetail: {
    type: 'object',
    description: 'One problem with the input.',
    properties: {
      path: {
        type: 'string',
        description: 'Path of the field or parameter, with dots and indexes. Empty if the problem concerns the input as a whole.',
        examples: ['commission_percent'],
      },
      code: { type: 'string', description: 'Stable code of the problem, for programs.', examples: ['too_big'] },
      message: { type: 'string', description: 'Human-readable message.', examples: ['Must be at most 100.'] },
    },
    required: ['path', 'code', 'message'],
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

function errorResponse(status: number, details: DetailsByCode): ZodOpenApiResponseObject {
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
        schema: schemas.length === 1 ? schemas[0]! : { oneOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { summary: ERRORS[code].when, value: envelopeExample(code) }])),
      },
    },
  };
}

function envelopeOf(code: ErrorCode, details: oas31.SchemaObject | undefined): oas31.SchemaObject {
  return {
    allOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }],
    type: 'object',
    properties: { code: { type: 'string', const: code }, ...(details ? { details } : {}) },
    ...(code === 'VALIDATION_ERROR' ? { required: ['details'] } : {}),
  };
}

function envelopeExample(code: ErrorCode): unknown {
  const { message, ...details } = exampleOf(code);
  return { error: message, code, ...details };
}
