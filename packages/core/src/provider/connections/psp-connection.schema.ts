import { z } from 'zod';
import { instant } from '../../platform/wire/scalars.ts';

/** Taken as it is: spaces and line ends that came along with the clipboard are refused rather than guessed away. */
const secretKey = z
  .string()
  .max(500)
  .meta({ description: 'Secret or restricted key of the payment provider; its live or test mode comes from the key.' });

const webhookSecret = z
  .string()
  .max(500)
  .regex(/^whsec_[\w+/=-]+$/, { error: 'Must be a signing secret, which starts with whsec_' })
  .meta({ description: 'Signing secret of the endpoint that was set up at the payment provider.' });

export const PspConnectionRecord = z
  .object({
    connected: z.boolean(),
    livemode: z.boolean().nullable().describe('True when the key is a live one, null without a connection.'),
    psp_account_id: z.string().nullable(),
    psp_account_name: z.string().nullable(),
    webhook_url: z.url().describe('Where the payment provider must send its events.'),
    webhook_event_types: z.array(z.string()).describe('The event types to subscribe to there.'),
    previous_webhook_secret_expires_at: instant().nullable().describe('Until then, the former signing secret is accepted too.'),
    created_at: instant().nullable(),
    updated_at: instant().nullable(),
  })
  .meta({ id: 'PspConnection', description: 'The account’s connection to the payment provider. Holds no secret.' });
export type PspConnectionRecord = z.infer<typeof PspConnectionRecord>;

export const GetPspConnection = z.strictObject({}).optional();

export const ConnectPsp = z.strictObject({ secret_key: secretKey, webhook_secret: webhookSecret });
export type ConnectPsp = z.infer<typeof ConnectPsp>;

export const RotateWebhookSecret = z.strictObject({ webhook_secret: webhookSecret });
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;
