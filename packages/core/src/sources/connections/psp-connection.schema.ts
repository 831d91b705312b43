import { z } from 'zod';
import { instant } from '../../platform/wire/scalars.ts';

/** Stored as given. Surrounding whitespace is refused instead of trimmed. */
const secretKey = z
  .string()
  .max(500)
  .meta({ description: 'Stripe secret key or restricted key. The key determines live or test mode.' });

const webhookSecret = z
  .string()
  .max(500)
  .regex(/^whsec_[\w+/=-]+$/, { error: 'Enter a signing secret, e.g. whsec_….' })
  .meta({ description: 'Signing secret of the webhook endpoint in Stripe.' });

export const PspConnectionRecord = z
  .object({
    connected: z.boolean(),
    livemode: z
      .boolean()
      .nullable()
      .describe('`true` for a live-mode key, `false` for a test-mode key, `null` without a connection.'),
    psp_account_id: z.string().nullable(),
    psp_account_name: z.string().nullable(),
    webhook_url: z.url().describe('URL to which Stripe must send events.'),
    webhook_event_types: z.array(z.string()).describe('Event types to subscribe to in Stripe.'),
    previous_webhook_secret_expires_at: instant()
      .nullable()
      .describe('Time until which the previous signing secret is also accepted.'),
    created_at: instant().nullable(),
    updated_at: instant().nullable(),
  })
  .meta({ id: 'PspConnection', description: 'The account’s connection to Stripe. Contains no secrets.' });
export type PspConnectionRecord = z.infer<typeof PspConnectionRecord>;

export const GetPspConnection = z.strictObject({}).optional();

export const ConnectPsp = z.strictObject({ secret_key: secretKey, webhook_secret: webhookSecret });
export type ConnectPsp = z.infer<typeof ConnectPsp>;

export const RotateWebhookSecret = z.strictObject({ webhook_secret: webhookSecret });
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;
