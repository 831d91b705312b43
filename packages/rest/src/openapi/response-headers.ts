import type { oas31 } from 'zod-openapi';

/** Response headers (docs/rules/platform.md#wire-conventions). */
const RESPONSE_HEADERS = {
  XRequestId: {
    description:
      'ID of the request in the logs: the `X-Request-Id` of the request, or a generated one. Include it when you report a problem.',
    required: true,
    schema: { type: 'string' },
    example: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e',
  },
  RateLimit: {
    description: 'Remaining quota of the caller (`r`) and seconds until it resets (`t`).',
    schema: { type: 'string' },
    example: '"caller"; r=59998; t=42',
  },
  RateLimitPolicy: {
    description: 'Quota of the caller (`q`) per window in seconds (`w`).',
    schema: { type: 'string' },
    example: '"caller"; q=60000; w=60',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 42,
  },
  IdempotentReplayed: {
    description: 'Present if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description:
      'Version of the record. Send it as `If-None-Match` to retrieve the record only if it has changed, or as `If-Match` to change it only if nobody else has.',
    schema: { type: 'string' },
    example: '"bVbGx0n1JmZQ8a2R.5J0m3oVQk1t7yN2c"',
  },
  Deprecation: {
    description: 'Present if the request used something deprecated: `@` and the Unix time of the deprecation, in seconds.',
    schema: { type: 'string' },
    example: '@1795737600',
  },
  Sunset: {
    description: 'Present if the operation ends: time after which it may be gone, at least 12 months ahead.',
    schema: { type: 'string' },
    example: 'Sat, 27 Nov 2027 00:00:00 GMT',
  },
  WWWAuthenticate: {
    description: 'Authentication scheme to use.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
} satisfies Record<string, oas31.HeaderObject>;

/** Returns the headers of a contract, without those of deprecated operations if it has none. */
export function responseHeaders({ areDeprecated }: { areDeprecated: boolean }): Record<string, oas31.HeaderObject> {
  const { Deprecation, Sunset, ...others } = RESPONSE_HEADERS;
  return areDeprecated ? { ...others, Deprecation, Sunset } : others;
}

type HeaderName = keyof typeof RESPONSE_HEADERS;

const NAMES: Record<HeaderName, string> = {
  XRequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  IdempotentReplayed: 'Idempotent-Replayed',
  ETag: 'ETag',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  WWWAuthenticate: 'WWW-Authenticate',
};

/** Returns references to the headers that every response has, and to `others`. */
export function headerRefs(...others: HeaderName[]): oas31.HeadersObject {
  const names: HeaderName[] = ['XRequestId', 'RateLimit', 'RateLimitPolicy', ...others];
  return Object.fromEntries(names.map((name) => [NAMES[name], { $ref: `#/components/headers/${name}` }]));
}
