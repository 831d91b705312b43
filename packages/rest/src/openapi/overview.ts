/** The introduction of the contract: rules that apply to every operation. */
export const OVERVIEW = `This service runs affiliate programs. Affiliates promote a merchant through tracked links, visitors become referrals, sales earn
commissions, and commissions are paid in payouts.

## Authentication and account
Send an API key as \`Authorization: Bearer <API_KEY>\`, as the user name of Basic authentication with an empty password, or as
\`X-Api-Key\`. Every request names its account, in the query parameter \`account_id\` or the header \`X-Account-Id\`. The permissions
of an API key determine what it can do; \`{ "all": true }\` grants every permission that is not set to \`false\`.

Signed-in users can also call the API: \`POST /auth/sign-in/email\` with \`email\` and \`password\` sets a session cookie. Their role in
the account (owner, admin, or member) determines what they can do. A session request that names no account uses the session's
active account. Session writes must come from the service's own origin. If a request contains an API key, the cookie is ignored.

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

## Pagination
Lists are sorted newest first. \`page\` starts at 1 and defaults to 1; \`limit\` defaults to 25 and is capped at 100. A page past the end is
empty. Only \`GET /api/v1/payouts?eligible=true\` is not paginated.

## Idempotency
Every POST accepts an \`Idempotency-Key\`. For 24 hours, the same key with the same payload returns the stored response with
\`Idempotent-Replayed: true\`. The same key with a different payload returns 422. While the first request is still running, the response
is 409.

## Errors
Every error has the body \`{ "error", "code", "details"? }\`. Handle errors by \`code\`; \`error\` is a human-readable message.

## Limits
| Limit | Value |
|---|---|
| \`page\` | Default 1 |
| \`limit\` | Default 25, maximum 100; larger values are capped |
| \`lookback_days\` | Default 30 |
| Request body | 1 MiB |
| \`Idempotency-Key\` | 1 to 255 characters, stored for 24 hours |
| Requests | Limited per credential: see the headers \`RateLimit\` and \`RateLimit-Policy\`. Above the limit, 429 with \`Retry-After\` |

## Webhooks
The service posts signed events to the account's webhook endpoints; see Events. Respond with a 2xx status within 15 seconds. Failed
deliveries are retried for about three days.

## Versions
The version is part of the path. New fields and operations may be added to a version; existing ones are not removed and do not change
their meaning.
`;
