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
      200: { description: 'Success.', headers: headerRefs(), content: { 'application/json': { schema: output } } },
      ...errorRefs(POST_ERRORS),
    },
  } satisfies ZodOpenApiOperationObject;
}

/** Routes called by browsers, without credentials and from any origin. They cannot create commissions (docs/domain-rules.md#tracking). */
export const PUBLIC_TRACKING: ZodOpenApiPathsObject = {
  '/t/{token}': {
    get: {
      ...common,
      operationId: 'tracking.followLink',
      summary: 'Follow a tracked link',
      description:
        'Records the visit, finds or creates the referral, sets the referral cookie, and redirects to the link’s destination with `via` and `referral`. If the link is archived or its affiliate or campaign is inactive, redirects to the campaign URL and records nothing.',
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
          description: 'ID of the link’s account. Included in the `tracking_url` of every link.',
          schema: { type: 'string' },
          example: 'acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
        },
      ],
      responses: {
        302: {
          description: 'Redirects to the destination.',
          headers: {
            ...headerRefs(),
            Location: {
              description: 'URL of the destination.',
              required: true,
              schema: { type: 'string', format: 'uri-reference' },
            },
            'Set-Cookie': { description: 'Referral cookie, if a visit was recorded.', schema: { type: 'string' } },
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
      summary: 'Retrieve the tracking script',
      description:
        'Include it in your pages with the attribute `data-account`. The script reports visits with a `via` parameter and stores the referral in a first-party cookie.',
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
        description: 'Called by the tracking script; CORS is enabled. Records a visit like a tracked link, without the redirect.',
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
          'Assigns a customer to a referral, which becomes a lead. Has no effect on a customer who has paid or already has a referral.',
      },
      TrackLead,
      TrackedLead,
    ),
  },
};
