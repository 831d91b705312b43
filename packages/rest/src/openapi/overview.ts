/** Section on credentials, in every contract. */
const AUTHENTICATION = `## Authentication and account
Send an API key as \`Authorization: Bearer <API_KEY>\`, as the user name of Basic authentication with an empty password, or as
\`X-Api-Key\`. Every request names its account, in the query parameter \`account_id\` or the header \`X-Account-Id\`. The permissions
of an API key determine what it can do; \`{ "all": true }\` grants every permission that is not set to \`false\`.

Signed-in users can also call the API: \`POST /auth/sign-in/email\` with \`email\` and \`password\` sets a session cookie. Their role in
the account (owner, admin, or member) determines what they can do. A session request that names no account uses the session's
active account. Session writes must come from the service's own origin. If a request contains an API key, the cookie is ignored.
`;

/** Section on repeated requests, in every contract. */
const IDEMPOTENCY = `## Idempotency
Every POST, PATCH, PUT and DELETE accepts an \`Idempotency-Key\`. For 24 hours, the same key with the same payload returns the stored response with
\`Idempotent-Replayed: true\`. The same key with a different payload returns 422. While the first request is still running, the response
is 409.
`;

/** Section on conditional requests, in every contract. */
const CONDITIONS = `## Conditional requests
Responses with a single record have an \`ETag\`. With \`If-None-Match\`, a GET returns 304 without a body if nothing has changed. With
\`If-Match\`, a write changes nothing and returns 412 if the record was changed meanwhile.
`;

/** Section on errors, in every contract. */
const ERRORS = `## Errors
Every error has the body \`{ "error", "code", "details"? }\`. Handle errors by \`code\`; \`error\` is a human-readable message.
`;

/** Section on versions, in every contract. */
const VERSIONS = `## Versions
The version is part of the path. Within a version, operations, optional parameters, fields, error codes and values of enumerations may
be added: ignore fields that you do not know, and expect further values. Existing ones are not removed and do not change their meaning.
Responses to requests that use something deprecated have the header \`Deprecation\`.
`;

/** Section on the pages of lists, in every contract. */
const PAGINATION = `## Pagination
Lists are sorted newest first. \`page\` starts at 1 and defaults to 1; \`limit\` defaults to 25 and is capped at 100. A page past the end is
empty.`;

/** Begin of the table of limits, in every contract. */
const LIMITS_OF_LISTS = `## Limits
| Limit | Value |
|---|---|
| \`page\` | Default 1 |
| \`limit\` | Default 25, maximum 100; larger values are capped |
`;

/** Rows of the table of limits, in every contract. */
const LIMITS_OF_REQUESTS = `| Request body | 1 MiB |
| \`Idempotency-Key\` | 1 to 255 characters, stored for 24 hours |
`;

/** The introduction of the contract of the affiliate program: rules that apply to every operation. */
export const OVERVIEW = `This service runs affiliate programs. Affiliates promote a merchant through tracked links, visitors become referrals, sales earn
commissions, and commissions are paid in payouts. The settings of an account have a contract of their own: \`/openapi/settings-v1.yaml\`.

${AUTHENTICATION}
## Conventions
- Fields are in \`snake_case\`. IDs are opaque strings with a prefix for the kind of record. Timestamps are in ISO 8601; responses use UTC
  with milliseconds. Amounts are integers in the currency's minor unit (\`*_cents\`), with the currency in a separate field.
- Unknown fields and parameters are rejected with 422.
- Array parameters can be repeated (\`state[]=due&state[]=pending\`, \`state=due&state=pending\`) or comma-separated
  (\`state=due,pending\`).
- Boolean parameters are \`true\`, \`false\`, \`1\`, or \`0\`.
- \`expand\` includes related records. Each operation lists its values.
- \`updated_since\` and \`updated_until\` are inclusive.
- DELETE archives, deactivates, voids, revokes, releases, or stops a record, which can still be retrieved. Only invitations and affiliate
  coupons are deleted permanently.

${PAGINATION} Only \`GET /api/v1/payouts?eligible=true\` is not paginated.

${IDEMPOTENCY}
${CONDITIONS}
${ERRORS}
${LIMITS_OF_LISTS}| \`lookback_days\` | Default 30 |
${LIMITS_OF_REQUESTS}| Requests | Limited per credential: see the headers \`RateLimit\` and \`RateLimit-Policy\`. Above the limit, 429 with \`Retry-After\` |

## Webhooks
The service posts signed events to the account's webhook endpoints; see Events. Respond with a 2xx status within 15 seconds. Failed
deliveries are retried for about three days.

${VERSIONS}`;

export const SETTINGS_OVERVIEW = `The settings of an account of an affiliate program service: webhook endpoints and their deliveries, members, connectors of AI
assistants, the connection to Stripe, texts of emails, the portal, the audit log, and the account itself. The affiliate program has a contract of its own: \`/openapi/v1.yaml\`. Both use the same credentials, conventions and errors.

${AUTHENTICATION}
## Conventions
- Fields are in \`snake_case\`. IDs are opaque strings with a prefix for the kind of record. Timestamps are in ISO 8601; responses use UTC
  with milliseconds.
- Unknown fields and parameters are rejected with 422.
- Boolean parameters are \`true\`, \`false\`, \`1\`, or \`0\`.
- DELETE deletes a webhook endpoint or revokes a connector, which can still be retrieved, disconnects Stripe, or removes a member or the logo.
- An API key never does more than its permissions allow. Operations on the account itself need a signed-in person: API keys get 403.

${PAGINATION}

${IDEMPOTENCY}
${CONDITIONS}
${ERRORS}
${LIMITS_OF_LISTS}| Webhook endpoints | 100 per account |
${LIMITS_OF_REQUESTS}| Requests | Limited per credential, together with all other requests: see the headers \`RateLimit\` and \`RateLimit-Policy\`. Above the limit, 429 with \`Retry-After\` |

${VERSIONS}`;
