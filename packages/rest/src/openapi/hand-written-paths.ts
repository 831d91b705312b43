import { EventReceipt, FactsDelivery, FactsReceipt } from '@affiliate/core';
import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import { errorRefs } from './error-responses.ts';
import { headerRefs } from './response-headers.ts';
import { tagOf } from './tags.ts';

export const FACTS_ERRORS = [400, 413, 415, 422, 429, 500, 502, 503];

const HEADERS: oas31.ParameterObject[] = Object.entries({
  'webhook-id': { description: 'Your ID of the delivery, without a dot.', example: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' },
  'webhook-timestamp': {
    description:
      'Unix time in seconds. Deliveries that differ by more than 300 seconds from the clock of the service are refused.',
    example: '1795176000',
  },
  'webhook-signature': {
    description:
      'Signatures by Standard Webhooks, separated by spaces. One of them must match. `v1,` and the Base64-encoded HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the Base64-decoded bytes of the signing secret after `whsec_`; or `v1a,` and the Ed25519 signature, if you have entered your public key (`whpk_…`) as `webhook_secret`.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}).map(([name, header]) => ({ name, in: 'header', required: true, schema: { type: 'string' }, ...header }));

/** The door of signed facts. Described here by hand, because the signature covers the bytes of the body, and no procedure declares the door. */
export const FACTS_PATH: ZodOpenApiPathsObject = {
  '/sources/{connection_id}/events': {
    post: {
      tags: [tagOf('facts.')],
      security: [{ signature: [] }],
      operationId: 'facts.send',
      summary: 'Send signed facts',
      description:
        'Tells what you know of payments, customers and promotion codes, from any payment provider. Connect the source `facts` first (`POST /api/settings/v1/connections`). A fact is a full snapshot with a rising `version`: send it again whenever something changes, in any order. Facts that are accepted are stored before the answer, and take effect within moments after it.',
      parameters: [
        {
          name: 'connection_id',
          in: 'path',
          required: true,
          description: 'ID of the connection.',
          schema: { type: 'string' },
          example: 'conn_01k9v7m3q8e2t4r6w8y0a1b2c3',
        },
        ...HEADERS,
      ],
      requestBody: { required: true, content: { 'application/json': { schema: FactsDelivery } } },
      responses: {
        200: {
          description: 'The event of a payment provider is accepted, at the address of its connection.',
          headers: headerRefs(),
          content: { 'application/json': { schema: EventReceipt } },
        },
        202: {
          description: 'The facts are accepted.',
          headers: headerRefs(),
          content: { 'application/json': { schema: FactsReceipt } },
        },
        ...errorRefs(FACTS_ERRORS),
      },
    },
  },
};

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
