import { z } from 'zod';
import { createdRange } from '../../platform/wire/filters.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';

export const ApiRequest = z
  .object({
    id: id('api_request'),
    key_id: id('api_key'),
    method: z.string().describe('HTTP method.').meta({ example: 'GET' }),
    path: z
      .string()
      .describe('Path without the query. Other values than IDs of records are replaced by the name of the parameter.')
      .meta({ example: '/api/v1/affiliates/aff_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    status: z
      .int()
      .describe('HTTP status of the response, or that of a canceled request if the client did not read the whole response.'),
    error_code: z.string().nullable().describe('`code` of an error.').meta({ example: null }),
    request_id: z
      .string()
      .describe('The `X-Request-Id` of the response.')
      .meta({ example: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e' }),
    duration_ms: z.number().describe('Time until the response was sent, in milliseconds.').meta({ example: 4.2 }),
    count: z
      .int()
      .describe(
        'Number of requests. Refusals within a second with the same key, method, route, status and error code are one entry.',
      )
      .meta({ example: 1 }),
    created_at: instant(),
  })
  .meta({ id: 'ApiRequest', description: 'A request with an API key. Kept for 7 days, at most 20,000 entries a day.' });

const { page: _page, include_total: _total, ...position } = pageInput;

export const ListApiRequests = z.strictObject({
  ...position,
  key_id: id('api_key').optional().describe('Returns requests with this API key.'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']).optional().describe('Filters by HTTP method.'),
  failed: z.boolean().optional().describe('`true`: only requests that were answered with an error. `false`: only others.'),
  request_id: z
    .string()
    .max(128)
    .optional()
    .describe('Filters by `X-Request-Id`.')
    .meta({ example: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e' }),
  ...createdRange,
});
export type ListApiRequests = z.infer<typeof ListApiRequests>;
export const ApiRequestPage = paginated(ApiRequest);
