import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode } from '../../platform/wire/scalars.ts';

const webhookSecret = z
  .string()
  .min(1)
  .max(500)
  .describe('Secret with which the provider signs events to `webhook_url`.')
  .meta({ example: 'whsec_5f0c1a527f0e4f0c9d3c0a7a1c5f6f3b' });

export const ConnectionRecord = z
  .object({
    id: id('connection'),
    source: z.string().describe('Kind of the payment provider.').meta({ example: 'stripe' }),
    livemode: livemode(),
    provider_account_id: z.string().describe('ID of your account at the provider.').meta({ example: 'acct_1032D82eZvKYlo2C' }),
    provider_account_name: z.string().nullable().describe('Name of your account at the provider.'),
    webhook_url: z.url().meta({
      description: 'URL to which the provider must send events.',
      example: 'https://affiliates.example.com/sources/conn_01k9v7m3q8e2t4r6w8y0a1b2c3/events',
    }),
    webhook_event_types: z
      .array(z.string())
      .meta({ description: 'Event types to subscribe to at the provider.', example: ['invoice.paid', 'charge.refunded'] }),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ProviderConnection', description: 'A connection to an account at a payment provider. Contains no secrets.' });
export type ConnectionRecord = z.infer<typeof ConnectionRecord>;

export const ListConnections = z.strictObject(pageInput);
export type ListConnections = z.infer<typeof ListConnections>;
export const ConnectionPage = paginated(ConnectionRecord);

export const ConnectionId = z.strictObject({ id: id('connection') });

export const CreateConnection = z.strictObject({
  source: ConnectionRecord.shape.source.max(40),
  credentials: z
    .string()
    .max(500)
    .describe('Key of your account at the provider. The key determines live or test mode.')
    .meta({ example: 'rk_test_51N4X2xQe9k3sBfVtYw7rLd0a' }),
  webhook_secret: webhookSecret
    .optional()
    .describe('Secret with which the provider signs events. Without it, events are refused until you set it.'),
});
export type CreateConnection = z.infer<typeof CreateConnection>;

export const UpdateConnection = z.strictObject({ id: id('connection'), webhook_secret: webhookSecret });
export type UpdateConnection = z.infer<typeof UpdateConnection>;
