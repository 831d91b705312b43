import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, nameText } from '../../platform/wire/scalars.ts';
import { EVENT_SUBSCRIPTIONS } from '../events/event-types.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import { MAX_ENDPOINT_URL_LENGTH } from './endpoint-url.ts';
import { SecretHeaders } from './secret-headers.ts';
import { DISABLED_REASONS } from './webhook-endpoint.entity.ts';

const fields = {
  name: nameText(200).meta({ example: 'Order system' }),
  url: z
    .string()
    .min(1)
    .max(MAX_ENDPOINT_URL_LENGTH)
    .describe(
      'URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public address.',
    )
    .meta({ example: 'https://shop.example.com/hooks/affiliate' }),
  event_types: z
    .array(z.enum(EVENT_SUBSCRIPTIONS))
    .min(1)
    .refine((types) => new Set(types).size === types.length, WEBHOOK_REASONS.event_type_twice)
    .describe(
      'Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types included.',
    ),
  active: z
    .boolean()
    .describe(
      '`true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is activated again.',
    ),
};

const endpointMode = () =>
  z
    .boolean()
    .nullable()
    .describe('`true`: events about live records only. `false`: events about test records only. `null`: both.');

const secret_headers = SecretHeaders.optional()
  .describe(
    'Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced as a whole. They are never shown again, and are forgotten when the host of `url` changes, unless they are given with it.',
  )
  .meta({ example: { Authorization: 'Basic aG9vazpvcGVuIHNlc2FtZQ==' } });

export const WebhookEndpointRecord = z
  .object({
    id: id('webhook_endpoint'),
    ...fields,
    livemode: endpointMode(),
    secret_header_names: z
      .array(z.string())
      .describe('Names of the headers of `secret_headers`, in lower case.')
      .meta({ example: ['authorization'] }),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for five days). `null` otherwise, and after reactivation.',
      ),
    disabled_at: instant().nullable(),
    failing_since: instant()
      .nullable()
      .describe('Time of the first failure since the last success; `null` while deliveries succeed.'),
    last_success_at: instant().nullable().describe('Time of the last success, to the minute.'),
    previous_secret_expires_at: instant()
      .nullable()
      .describe('Time until which deliveries are also signed with the previous secret.'),
    deleted_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives signed events of selected types.' });
export type WebhookEndpointRecord = z.infer<typeof WebhookEndpointRecord>;

const { active, ...requiredFields } = fields;
export const CreateWebhookEndpoint = z.strictObject({
  ...requiredFields,
  active: active.default(true),
  livemode: endpointMode().optional(),
  secret_headers,
});
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

export const UpdateWebhookEndpoint = z.strictObject({
  id: id('webhook_endpoint'),
  ...z.object({ ...fields, livemode: endpointMode() }).partial().shape,
  secret_headers,
});
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

export const WebhookEndpointWithSecret = z
  .object({
    ...WebhookEndpointRecord.shape,
    signing_secret: z
      .string()
      .describe(
        'Signing secret. Give it to a library of Standard Webhooks as it is. For `hook-signature`, use its UTF-8 text as the HMAC key. Returned only once.',
      )
      .meta({ example: 'whsec_2bTq9GkBf0cF1rJp4s7u8w0yA3D5G7J9L1N3P5R7T9Va' }),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

export const WebhookEndpointId = z.strictObject({ id: id('webhook_endpoint') });
export const ListWebhookEndpoints = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListWebhookEndpoints = z.infer<typeof ListWebhookEndpoints>;
export const WebhookEndpointPage = paginated(WebhookEndpointRecord);
