/** The introduction of the contract: what holds for every operation. */
export const OVERVIEW = `Runs affiliate programs: affiliates promote a merchant through tracked links, visitors become referrals,
sales earn commissions, and commissions are paid out.

## Authentication and account
Send an API key as \`Authorization: Bearer <API_KEY>\`, as Basic user name with an empty password, or as \`X-Api-Key\`.
Every request names its account, as query parameter \`account_id\` or header \`X-Account-Id\`. A key may do what its permission
map grants; \`{ "all": true }\` grants everything that is not explicitly false.

A person who has signed in (\`POST /auth/sign-in/email\` with \`email\` and \`password\` sets a cookie) may call, too, and is held to
their role in the account: owner, admin or member. Their requests may leave the account out, which is then the session's active one;
their writes must come from the service's own origin. Where a request carries a key, the cookie does not count.

## Conventions
- Fields are \`snake_case\`. Ids are opaque strings with a prefix for their kind. Timestamps are ISO-8601, in UTC with milliseconds in
  responses. Amounts are integers in the currency's minor unit (\`*_cents\`), with the currency beside them.
- An unknown field or parameter is refused (422), never ignored.
- Arrays in a query: repeated (\`state[]=due&state[]=pending\`, \`state=due&state=pending\`) or separated by commas (\`state=due,pending\`).
- Booleans in a query: \`true\`, \`false\`, \`1\` or \`0\`.
- \`expand\` includes related records; each operation lists its values.
- \`updated_since\` and \`updated_until\` are inclusive.
- DELETE archives, deactivates, voids, revokes, releases or stops; the record stays readable. Only invitations and affiliate coupons are gone.

## Pagination
Lists are newest first. \`page\` starts at 1 and is 1 by default; \`limit\` is 25 by default and 100 at most (more counts as 100).
A page past the end is empty. Only \`GET /api/v1/payouts?eligible=true\` is not paginated.

## Idempotency
Every POST takes an \`Idempotency-Key\`. For 24 hours the same key with the same payload gets the stored response again, with
\`Idempotent-Replayed: true\`; with another payload it is refused (422). While the first request still runs, the answer is 409.

## Errors
Every error has the body \`{ "error", "code", "details"? }\`. Programs should look at \`code\`.

## Limits
| Limit | Value |
|---|---|
| \`page\` | 1 by default |
| \`limit\` | 25 by default, at most 100; larger values are capped |
| \`lookback_days\` | 30 by default |
| Body | 1 MiB |
| Idempotency-Key | 1 to 255 characters, kept for 24 hours |
| Requests | limited per credential: see the headers \`RateLimit\` and \`RateLimit-Policy\`; above it 429 with \`Retry-After\` |

## Webhooks
The service posts signed events to the account's webhook endpoints; each is described below under Events. Answer with a 2xx status
within 15 seconds. Failed deliveries are tried again for about three days.

## Versions
The version is in the path. Fields and operations may be added within a version; nothing is removed or changes its meaning.
`;
