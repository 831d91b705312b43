import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode } from '../../platform/wire/scalars.ts';

const eventsUrl = () =>
  z.url().meta({ example: 'https://affiliates.example.com/sources/conn_01k9v7m3q8e2t4r6w8y0a1b2c3/events' });

const credentials = z
  .union([z.string().max(500), z.record(z.string().max(40), z.string().max(500))])
  .describe(
    'Key of your account at the provider, or an object with the `fields` of the source. The key determines live or test mode. It is never shown again.',
  )
  .meta({ example: 'rk_test_51N4X2xQe9k3sBfVtYw7rLd0a' });

const webhookSecret = z
  .string()
  .min(1)
  .max(500)
  .describe('Secret with which the provider signs events to `webhook_url`.')
  .meta({ example: 'whsec_5f0c1a527f0e4f0c9d3c0a7a1c5f6f3b' });

const choices = z
  .record(z.string(), z.string())
  .describe('Your decisions about what earns, by name. `GET /connections/sources` lists the options.')
  .meta({ example: { shipping: 'exclude' } });

const activity = {
  problem: z
    .string()
    .nullable()
    .describe(
      'Reason why the provider could not be asked for events that were not delivered, e.g. because the key has expired. `null` if it could, the last time.',
    )
    .meta({ example: 'The payment provider does not accept the key.' }),
  last_event_at: instant().nullable().describe('Time of the last event; `null` if there was none in 90 days.'),
  ignored_events: z.int().describe('Number of events that are kept without an effect, e.g. because they are of the other mode.'),
  ignored_reasons: z
    .array(
      z
        .object({
          reason: z.string().meta({ example: 'The event is of the other mode (live or test).' }),
          count: z.int(),
        })
        .meta({ id: 'IgnoredReason' }),
    )
    .describe('Reasons why these events had no effect, with the number of events each. The most frequent reasons come first.'),
  waiting_events: z.int().describe('Number of events that could not be applied so far.'),
};
const ConnectionActivity = z.object(activity);
export type ConnectionActivity = z.infer<typeof ConnectionActivity>;

export const ConnectionRecord = z
  .object({
    id: id('connection'),
    source: z
      .string()
      .describe('Kind of the source: a payment provider, or `facts` for facts that your own server signs.')
      .meta({ example: 'stripe' }),
    livemode: livemode(),
    provider_account_id: z.string().describe('ID of your account at the provider.').meta({ example: 'acct_1032D82eZvKYlo2C' }),
    provider_account_name: z.string().nullable().describe('Name of your account at the provider.'),
    webhook_url: eventsUrl().describe('URL to which the provider must send events.'),
    events_url: eventsUrl().describe('The same URL as `webhook_url`.'),
    webhook_event_types: z
      .array(z.string())
      .meta({ description: 'Event types to subscribe to at the provider.', example: ['invoice.paid', 'charge.refunded'] }),
    choices,
    has_signing_secret: z.boolean().describe('`false` while events are refused, because no signing secret is set.'),
    ...activity,
    key_expires_at: instant()
      .nullable()
      .describe('Time from which the provider refuses the key. `null` unless the provider has announced it.'),
    looked_at: instant().nullable().describe('Time at which the provider was last asked for events that were not delivered.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ProviderConnection', description: 'A connection to an account at a payment provider. Contains no secrets.' });
export type ConnectionRecord = z.infer<typeof ConnectionRecord>;

/** A connection whose signing secret was just made. */
export const ConnectionWithSecret = ConnectionRecord.extend({
  signing_secret: z
    .string()
    .optional()
    .describe(
      'Secret with which you sign, or that you enter at the provider. Only if this service has made it, and returned only once.',
    )
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq' }),
}).meta({ id: 'ProviderConnectionWithSecret', description: 'A connection to an account at a payment provider.' });
export type ConnectionWithSecret = z.infer<typeof ConnectionWithSecret>;

export const SourceRecord = z
  .object({
    source: ConnectionRecord.shape.source,
    name: z.string().describe('Name of the provider.').meta({ example: 'Paddle' }),
    fields: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'api_key' }),
            secret: z.boolean().describe('`true` for a value that pages hide.'),
            placeholder: z.string().describe('Form of the value.').meta({ example: 'pdl_live_…' }),
          })
          .meta({ id: 'CredentialField' }),
      )
      .describe('The fields of `credentials`. Empty if the source needs none.'),
    makes_secret: z
      .boolean()
      .describe('`true` if this service makes the signing secret, and returns it when the source is connected.'),
    creates_endpoint: z.boolean().describe('`true` if this service creates the endpoint at the provider.'),
    choices: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'shipping' }),
            options: z
              .array(z.string())
              .describe('The first one holds until you choose.')
              .meta({ example: ['exclude', 'count'] }),
          })
          .meta({ id: 'ConnectionChoice' }),
      )
      .describe('Decisions about what earns, which a connection of this source offers.'),
    event_types: z
      .array(z.string())
      .describe('The event types that the service handles.')
      .meta({ example: ['transaction.completed'] }),
  })
  .meta({ id: 'Source', description: 'A kind of source that can be connected.' });
export type SourceRecord = z.infer<typeof SourceRecord>;

export const ListSources = z.strictObject({});
export const SourceList = z.object({ data: z.array(SourceRecord) });

export const ListConnections = z.strictObject(pageInput);
export type ListConnections = z.infer<typeof ListConnections>;
export const ConnectionPage = paginated(ConnectionRecord);

export const ConnectionId = z.strictObject({ id: id('connection') });

export const CreateConnection = z.strictObject({
  source: ConnectionRecord.shape.source.max(40),
  credentials: credentials.optional(),
  webhook_secret: webhookSecret
    .optional()
    .describe(
      'Secret with which the provider signs events. Without it, this service makes the secret or creates the endpoint where the source allows it. Otherwise events are refused until you set it. For `facts`, also a public key (`whpk_…`) that verifies signatures of the kind `v1a`.',
    ),
});
export type CreateConnection = z.infer<typeof CreateConnection>;

export const RenewKey = z.strictObject({
  id: id('connection'),
  credentials: credentials.describe('The new key, or an object with the `fields` of the source. It is never shown again.'),
});
export type RenewKey = z.infer<typeof RenewKey>;

export const UpdateConnection = z.strictObject({
  id: id('connection'),
  webhook_secret: webhookSecret.optional(),
  choices: z
    .record(z.string().max(40), z.string().max(40))
    .optional()
    .describe('Decisions to change, by name. They hold for everything that the provider tells from then on.')
    .meta({ example: { shipping: 'count' } }),
  rotate_signing_secret: z
    .literal(true)
    .optional()
    .describe('Makes a new signing secret, for sources whose secret this service makes.'),
});
export type UpdateConnection = z.infer<typeof UpdateConnection>;
