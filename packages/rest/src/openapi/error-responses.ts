import { ERROR_CODES, type ErrorCode } from '@affiliate/core';
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi';
import { headerRefs } from './response-headers.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

/** When each code is answered (docs/domain-rules.md#errors), with an example of its message and details. */
const CASES: Record<ErrorCode, { when: string; error: string; details?: unknown }> = {
  MALFORMED_JSON: { when: 'The body is not valid JSON.', error: 'The body is not valid JSON.' },
  MALFORMED_REQUEST: { when: 'The request is not valid HTTP.', error: 'This is not a valid HTTP request.' },
  MISSING_ACCOUNT_ID: {
    when: 'No account context was supplied.',
    error: 'Name the account: query account_id or header X-Account-Id.',
  },
  INVALID_SIGNATURE: { when: 'The signature does not fit the body.', error: 'The signature does not fit the body.' },
  UNAUTHORIZED: {
    when: 'Credentials are missing or invalid.',
    error: 'Send a valid API key: Authorization: Bearer <key>, Basic with the key as user name, or X-Api-Key.',
  },
  FORBIDDEN: {
    when: 'The role or permission is insufficient, or the credential is another account’s; `details.permission` names what is lacking.',
    error: 'This credential lacks the permission v1.affiliates.read.',
    details: { permission: 'v1.affiliates.read' },
  },
  NOT_FOUND: { when: 'There is no such record in this account.', error: 'No such record.' },
  METHOD_NOT_ALLOWED: { when: 'The path does not take this method.', error: 'PUT is not possible here.' },
  REQUEST_TIMEOUT: { when: 'The request did not arrive in time.', error: 'The request did not arrive in time.' },
  CONFLICT: {
    when: 'The request contradicts what is there, or another request changed it at the same time.',
    error: 'Another request changed this at the same time. Try again.',
  },
  OPERATION_PENDING: {
    when: 'An earlier request with this Idempotency-Key still runs, or its outcome must be checked before another attempt: repeat with the same key.',
    error: 'A request with this Idempotency-Key is still running.',
  },
  RECONCILIATION_REQUIRED: {
    when: 'An earlier attempt at the payment provider has an unknown outcome and must be reviewed first; `details.operation_id` names it.',
    error: 'An earlier attempt to create this code must be reviewed first.',
    details: { operation_id: 'op_01k9v7m3q8e2t4r6w8y0a1b2c3' },
  },
  PAYLOAD_TOO_LARGE: { when: 'The body is larger than 1 MiB.', error: 'The body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { when: 'The body is not sent as JSON.', error: 'Send the body as application/json.' },
  VALIDATION_ERROR: {
    when: 'A field or parameter is missing, unknown or not valid; `details` names each.',
    error: 'name: Must not be blank',
    details: [{ path: 'name', code: 'custom', message: 'Must not be blank' }],
  },
  PSP_NOT_CONNECTED: {
    when: 'The account has no connection to a payment provider.',
    error: 'Connect the payment provider in the settings first.',
  },
  RATE_LIMITED: {
    when: 'Too many requests.',
    error: 'Too many requests. Try again in 42 seconds.',
    details: { retry_after: 42 },
  },
  HEADERS_TOO_LARGE: {
    when: 'Address and headers are larger than 16 KiB.',
    error: 'Address and headers are larger than 16 KiB.',
  },
  INTERNAL_ERROR: {
    when: 'Something failed on our side; nothing was changed.',
    error: 'Something went wrong on our side. Quote the request id when you report it.',
  },
  PSP_ERROR: { when: 'The payment provider refused or failed.', error: 'The payment provider could not be reached.' },
};

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
};

const operationId: oas31.SchemaObject = {
  type: 'object',
  properties: { operation_id: { type: 'string', description: 'Id of the operation at the payment provider.' } },
};

/** What `details` holds, for the codes that have any. */
const DETAILS: Partial<Record<ErrorCode, oas31.SchemaObject>> = {
  VALIDATION_ERROR: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/ValidationDetail' } },
  FORBIDDEN: {
    type: 'object',
    properties: { permission: { type: 'string', description: 'Name of the permission that is lacking.' } },
  },
  RATE_LIMITED: {
    type: 'object',
    properties: { retry_after: { type: 'integer', description: 'Seconds to wait, as in the header Retry-After.' } },
  },
  OPERATION_PENDING: operationId,
  RECONCILIATION_REQUIRED: operationId,
  PSP_ERROR: {
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        description: 'Why: `unreachable`, `timeout`, `unavailable`, `rate_limited`, `authentication` or `permission`.',
      },
      psp_code: { type: 'string', description: 'The provider’s own code of the refusal.' },
      psp_request_id: { type: 'string', description: 'The provider’s id of the request, to quote to its support.' },
    },
  },
};

/** The body of every error, and what names a field in it (docs/domain-rules.md#errors). */
export const ERROR_SCHEMAS: Record<string, oas31.SchemaObject> = {
  ErrorEnvelope: {
    type: 'object',
    description: 'The body of every error response.',
    properties: {
      error: { type: 'string', description: 'What went wrong, in words; may change.', examples: ['No such record.'] },
      code: {
        type: 'string',
        enum: CODES,
        description: 'What went wrong, stable, for programs.',
        examples: ['NOT_FOUND'],
      },
      details: { description: 'More about it; its shape depends on `code`.' },
    },
    required: ['error', 'code'],
    additionalProperties: false,
  },
  ValidationDetail: {
    type: 'object',
    description: 'One thing wrong with the input.',
    properties: {
      path: {
        type: 'string',
        description: 'The field or parameter, with dots and indexes; empty for the input as a whole.',
        examples: ['commission_percent'],
      },
      code: { type: 'string', description: 'What is wrong, stable, for programs.', examples: ['too_big'] },
      message: { type: 'string', description: 'What is wrong, in words.', examples: ['Too big: expected number to be <=100'] },
    },
    required: ['path', 'code', 'message'],
    additionalProperties: false,
  },
};

/** The error responses with these statuses, by name. */
export function errorResponses(statuses: Iterable<number>): Record<string, ZodOpenApiResponseObject> {
  const each = [...new Set(statuses)].toSorted((a, b) => a - b);
  return Object.fromEntries(each.map((status) => [RESPONSE_NAMES[status]!, errorResponse(status)]));
}

/** References to them, for one operation. */
export function errorRefs(statuses: readonly number[]): Record<`4${string}` | `5${string}`, oas31.ReferenceObject> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]),
  );
}

function errorResponse(status: number): ZodOpenApiResponseObject {
  const codes = CODES.filter((code) => ERROR_CODES[code].status === status);
  const schemas = codes.map(envelopeOf);
  return {
    description: codes.map((code) => `\`${code}\`: ${CASES[code].when}`).join('\n\n'),
    headers: {
      ...headerRefs(
        ...(status === 429 ? (['RetryAfter'] as const) : []),
        ...(status === 401 ? (['WWWAuthenticate'] as const) : []),
      ),
    },
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0]! : { oneOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { summary: CASES[code].when, value: exampleOf(code) }])),
      },
    },
  };
}

function envelopeOf(code: ErrorCode): oas31.SchemaObject {
  const details = DETAILS[code];
  return {
    allOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }],
    type: 'object',
    properties: { code: { type: 'string', const: code }, ...(details ? { details } : {}) },
    ...(code === 'VALIDATION_ERROR' ? { required: ['details'] } : {}),
  };
}

function exampleOf(code: ErrorCode): unknown {
  const { error, details } = CASES[code];
  return { error, code, ...(details === undefined ? {} : { details }) };
}
