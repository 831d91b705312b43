import { TrackLead, TrackVisit, TrackedLead, TrackedVisit } from '@affiliate/core';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { errorRefs } from './error-responses.ts';
import { headerRefs } from './response-headers.ts';
import { tagOf } from './tags.ts';

const READ_ERRORS = [404, 422, 429, 500];
const POST_ERRORS = [400, 413, 415, 422, 429, 500];
export const PUBLIC_ERRORS = [...READ_ERRORS, ...POST_ERRORS];

const common = { tags: [tagOf('tracking.')], security: [] };

function report(
  operation: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'>,
  input: typeof TrackVisit | typeof TrackLead,
  output: typeof TrackedVisit | typeof TrackedLead,
) {
  return {
    ...common,
    ...operation,
    requestBody: { required: true, content: { 'application/json': { schema: input } } },
    responses: {
      200: { description: 'Done.', headers: headerRefs(), content: { 'application/json': { schema: output } } },
      ...errorRefs(POST_ERRORS),
    },
  } satisfies ZodOpenApiOperationObject;
}

/** What browsers call: no credentials, readable from any page, unable to create money (docs/domain-rules.md#tracking). */
export const PUBLIC_TRACKING: ZodOpenApiPathsObject = {
  '/t/{token}': {
    get: {
      ...common,
      operationId: 'tracking.followLink',
      summary: 'Follow a tracked link',
      description:
        'Counts the visit, finds or creates the referral, sets the referral cookie and redirects to the link’s destination with `via` and `referral`. A link that is archived, or whose affiliate or campaign is not active, leads to the campaign’s page and records nothing.',
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          description: 'Token of the link.',
          schema: { type: 'string' },
          example: 'ada',
        },
        {
          name: 'account_id',
          in: 'query',
          description: 'The account whose link it is; the tracking URLs of links hold it.',
          schema: { type: 'string' },
          example: 'acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
        },
      ],
      responses: {
        302: {
          description: 'To the destination.',
          headers: {
            ...headerRefs(),
            Location: { description: 'The destination.', required: true, schema: { type: 'string', format: 'uri-reference' } },
            'Set-Cookie': { description: 'The referral, when one was recorded.', schema: { type: 'string' } },
          },
          content: Object.fromEntries(
            ['text/plain', 'text/html'].map((type) => [type, { schema: { type: 'string' }, example: 'Found' }]),
          ),
        },
        ...errorRefs(READ_ERRORS),
      },
    },
  },
  '/track.js': {
    get: {
      ...common,
      operationId: 'tracking.script',
      summary: 'Get the tracking script',
      description:
        'For a merchant’s pages, as a script with the attribute `data-account`: reports visits with `via` in the address, and keeps the referral in a cookie of the page’s own site.',
      responses: {
        200: {
          description: 'The script.',
          headers: headerRefs(),
          content: { 'text/javascript': { schema: { type: 'string' }, example: '(() => { … })();' } },
        },
        ...errorRefs([429, 500]),
      },
    },
  },
  '/track/visits': {
    post: report(
      {
        operationId: 'tracking.recordVisit',
        summary: 'Report a visit',
        description:
          'From the tracking script on a merchant’s page, with CORS. Does what following the tracked link does, without the redirect.',
      },
      TrackVisit,
      TrackedVisit,
    ),
  },
  '/track/leads': {
    post: report(
      {
        operationId: 'tracking.recordLead',
        summary: 'Report a lead',
        description:
          'Binds a customer to a referral, which becomes a lead. A customer who has paid, or is bound already, is not bound again.',
      },
      TrackLead,
      TrackedLead,
    ),
  },
};
