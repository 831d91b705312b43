import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { Reason } from '../texts/reason.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { Text } from '../texts/texts.ts';

interface ErrorDeclaration {
  /** HTTP status of the response. */
  status: number;
  /** The closest tRPC code. */
  trpc: TRPC_ERROR_CODE_KEY;
  /** Condition under which the service responds with the code. Published in the contract. */
  when: string;
  /** Message of an error that is thrown without a message of its own. */
  message: Text;
  /** Example in the contract, if a typical response differs from the default message. */
  example?: { message?: Reason; details?: unknown };
}

/**
 * All errors of the service (docs/rules/platform.md#errors). Thrown errors, the responses of all doors and the contract read this table.
 * Codes are stable; messages are for people and may change.
 */
export const ERRORS = {
  MALFORMED_JSON: {
    status: 400,
    trpc: 'PARSE_ERROR',
    when: 'The body is not valid JSON in UTF-8.',
    message: { en: 'The body is not valid JSON in UTF-8.', de: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.' },
  },
  MALFORMED_REQUEST: {
    status: 400,
    trpc: 'BAD_REQUEST',
    when: 'The request is not valid HTTP.',
    message: { en: 'The request is not valid HTTP.', de: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.' },
  },
  MISSING_ACCOUNT_ID: {
    status: 400,
    trpc: 'BAD_REQUEST',
    when: 'The request does not name an account.',
    message: {
      en: 'The request does not name an account. Send its id in the query parameter account_id or the header X-Account-Id.',
      de: 'Es ist kein Konto gewählt. Laden Sie die Seite neu.',
    },
  },
  INVALID_SIGNATURE: {
    status: 400,
    trpc: 'BAD_REQUEST',
    when: 'The signature does not match the body, or is too old.',
    message: {
      en: 'The signature is invalid. Sign the body with the signing secret of a connected account.',
      de: 'Die Signatur ist ungültig.',
    },
  },
  UNAUTHORIZED: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    when: 'Credentials are missing or invalid.',
    message: {
      en: 'Send a valid API key (Authorization: Bearer <key>, Basic with the key as user name, or X-Api-Key), or sign in.',
      de: 'Bitte melden Sie sich an.',
    },
  },
  FORBIDDEN: {
    status: 403,
    trpc: 'FORBIDDEN',
    when: 'The caller lacks the required role or permission (`details.permission`), the credential belongs to another account, or the request comes from another site.',
    message: { en: 'You are not allowed to do this.', de: 'Das dürfen Sie nicht.' },
    example: {
      message: PLATFORM_REASONS.missing_permission({ permission: 'v1.affiliates.read' }),
      details: { permission: 'v1.affiliates.read' },
    },
  },
  PAY_LIMIT_EXCEEDED: {
    status: 403,
    trpc: 'FORBIDDEN',
    when: 'The assistant would mark more as paid within 24 hours than the daily limit of its connector allows; `details` has the amounts.',
    message: {
      en: 'This exceeds the daily limit of the connector. A person can change the limit in Settings, Connectors.',
      de: 'Das überschreitet die Tagesgrenze des Konnektors. Sie lässt sich in den Einstellungen unter „Konnektoren“ ändern.',
    },
    example: { details: { currency: 'USD', limit_cents: 100_000, counted_cents: 90_000, amount_cents: 25_000 } },
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    trpc: 'FORBIDDEN',
    when: 'The account requires its members to have a second factor, and the signed-in person, or the person who connected the assistant, has none.',
    message: {
      en: 'This account requires a second factor. Open the account in a browser and set up a second factor.',
      de: 'Dieses Konto verlangt einen zweiten Faktor. Richten Sie ihn in Ihrem Profil ein.',
    },
  },
  NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    when: 'This account has no such record, or the path does not exist.',
    message: { en: 'No such record.', de: 'Das gibt es nicht.' },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    when: 'The path does not accept this method; the header `Allow` lists the accepted methods.',
    message: { en: 'The path does not accept this method.', de: 'Diese Adresse nimmt die Anfrage nicht an.' },
    example: { message: PLATFORM_REASONS.method_not_allowed({ method: 'PUT', accepted: 'GET or POST' }) },
  },
  REQUEST_TIMEOUT: {
    status: 408,
    trpc: 'TIMEOUT',
    when: 'The request did not arrive in time.',
    message: {
      en: 'The request did not arrive in time.',
      de: 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.',
    },
  },
  CONFLICT: {
    status: 409,
    trpc: 'CONFLICT',
    when: 'The request conflicts with the state of other records, or another request changed the record at the same time.',
    message: {
      en: 'Another request changed this record at the same time. Try again.',
      de: 'Jemand anderes hat das gleichzeitig geändert. Versuchen Sie es noch einmal.',
    },
  },
  OPERATION_PENDING: {
    status: 409,
    trpc: 'CONFLICT',
    when: 'An earlier request with this Idempotency-Key is still running, or its outcome is unknown: send the same request with the same key again.',
    message: {
      en: 'A request with this Idempotency-Key is still running. Send the same request again later, with the same key.',
      de: 'Dieselbe Anfrage läuft noch. Versuchen Sie es gleich noch einmal.',
    },
  },
  RECONCILIATION_REQUIRED: {
    status: 409,
    trpc: 'CONFLICT',
    when: 'An earlier operation on this code at the payment provider has an unknown outcome and must be finished first; `details.operation_id` names it.',
    message: {
      en: 'The outcome of an earlier operation on this code is unknown. Send the earlier request again first, with the Idempotency-Key that it had.',
      de: 'Wie ein früherer Vorgang mit diesem Code ausging, ist noch unbekannt. Wiederholen Sie zuerst diesen Vorgang.',
    },
    example: { details: { operation_id: 'op_01k9v7m3q8e2t4r6w8y0a1b2c3' } },
  },
  PRECONDITION_FAILED: {
    status: 412,
    trpc: 'PRECONDITION_FAILED',
    when: 'The record does not have the version that `If-Match` names: it was changed meanwhile. Or it exists, although the request has `If-None-Match: *`.',
    message: {
      en: 'The record was changed meanwhile. Retrieve it again, and repeat the change with its new ETag.',
      de: 'Das wurde inzwischen geändert. Laden Sie die Seite neu, und ändern Sie es noch einmal.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    when: 'The body is larger than 1 MiB, or than 16 KiB where no credentials are needed, or has more than 20,000 values or 5,000 fields.',
    message: { en: 'The body is larger than 1 MiB.', de: 'Die Anfrage ist größer als 1 MiB.' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    when: 'The body is not sent as `application/json`.',
    message: { en: 'Send the body as application/json.', de: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.' },
  },
  VALIDATION_ERROR: {
    status: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    when: 'A field or parameter is missing, unknown or invalid, or the state of the record does not allow the change; `details` lists each problem.',
    message: { en: 'The request is not valid.', de: 'Die Angaben sind nicht gültig.' },
    example: {
      message: PLATFORM_REASONS.one_problem({ field: 'name: ', problem: PLATFORM_REASONS.blank }),
      details: [{ path: 'name', code: 'custom', message: String(PLATFORM_REASONS.blank) }],
    },
  },
  PSP_NOT_CONNECTED: {
    status: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    when: 'The account is not connected to a payment provider.',
    message: {
      en: 'The account is not connected to a payment provider. Connect one in the settings first.',
      de: 'Das Konto ist mit keinem Zahlungsanbieter verbunden. Verbinden Sie es zuerst in den Einstellungen.',
    },
  },
  RATE_LIMITED: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    when: 'There were too many requests; `Retry-After` and `details.retry_after` say how many seconds to wait.',
    message: { en: 'Too many requests. Try again later.', de: 'Zu viele Anfragen. Versuchen Sie es später noch einmal.' },
    example: { message: PLATFORM_REASONS.rate_limited({ seconds: 42 }), details: { retry_after: 42 } },
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    trpc: 'BAD_REQUEST',
    when: 'The URL and the headers together are larger than 16 KiB.',
    message: { en: 'The URL and the headers together are larger than 16 KiB.', de: 'Die Adresse ist zu lang.' },
  },
  INTERNAL_ERROR: {
    status: 500,
    trpc: 'INTERNAL_SERVER_ERROR',
    when: 'Something failed in the service; nothing was changed. Quote the `X-Request-Id` when you report it.',
    message: {
      en: 'Something went wrong on our side. Quote the request id when you report it.',
      de: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es später noch einmal.',
    },
  },
  UNAVAILABLE: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    when: 'The database cannot be reached or is overloaded, or a record stayed locked for too long. Send the request again after `Retry-After` (also `details.retry_after`) seconds. Repeat a write with the same `Idempotency-Key`.',
    message: {
      en: 'The service cannot answer right now. Send the request again in a few seconds, with the same Idempotency-Key.',
      de: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es in einigen Sekunden noch einmal.',
    },
    example: { details: { retry_after: 5 } },
  },
  PSP_ERROR: {
    status: 502,
    trpc: 'BAD_GATEWAY',
    when: 'The payment provider refused the request or could not be reached.',
    message: {
      en: 'The payment provider could not be reached. Try again later.',
      de: 'Der Zahlungsanbieter war nicht erreichbar. Versuchen Sie es später noch einmal.',
    },
  },
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof ERRORS;

/** Returns an example response with this code, for the contract. */
export function exampleOf(code: ErrorCode): { message: string; details?: unknown } {
  const { message, example }: ErrorDeclaration = ERRORS[code];
  return { ...example, message: String(example?.message ?? new Reason(code, message)) };
}
