import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorRefs } from './error-responses.ts';
import { headerRefs } from './response-headers.ts';
import { tagOf } from './tags.ts';

export const SCRIPT_ERRORS = [429, 500];

/** Path of the tracking script. Described here by hand, because it is a file and no procedure declares it. */
export const TRACKING_SCRIPT: ZodOpenApiPathsObject = {
  '/track.js': {
    get: {
      tags: [tagOf('tracking.')],
      security: [],
      operationId: 'tracking.script',
      summary: 'Retrieve the tracking script',
      description:
        'Include it in your pages with the attribute `data-account`. The script reports visits with a `via` parameter and stores the referral in a first-party cookie. `/track.json` returns a path whose content never changes, and the `integrity` of that content.',
      responses: {
        200: {
          description: 'The script.',
          headers: headerRefs(),
          content: { 'text/javascript': { schema: { type: 'string' }, example: '(() => { … })();' } },
        },
        ...errorRefs(SCRIPT_ERRORS),
      },
    },
  },
};
