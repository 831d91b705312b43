import { z } from 'zod';
import { OUTSIDE_PAYMENTS } from './psp-connection.entity.ts';
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

/** What the merchant decides about a connection. Kept when the account is connected again. */
const settings = {
  connected_account_id: z
    .string()
    .regex(/^acct_\w{1,200}$/, { error: 'Enter the ID of a connected account, e.g. acct_1032D82eZvKYlo2C.' })
    .nullable()
    .describe(
      'For a Stripe Connect platform: the connected account whose events count. `null` for the platform’s own account. Events of other accounts are kept without an effect.',
    ),
  customer_id_key: z
    .string()
    .regex(/^[^[\]]{1,40}$/, { error: 'Enter a key of Stripe metadata, at most 40 characters, e.g. customer_id.' })
    .nullable()
    .describe(
      'Key of Stripe metadata under which you store your own ID of the customer. Initially `customer_id`. `null` if there is no such key.',
    ),
  outside_payments: z
    .enum(OUTSIDE_PAYMENTS)
    .describe(
      'Whether an invoice that is marked as paid outside Stripe earns commissions: `count` or `exclude`. Applies to payments that become known afterwards. Initially `count`.',
    ),
};

export const PspConnectionRecord = z
  .object({
    connected: z.boolean(),
    livemode: z
      .boolean()
      .nullable()
      .describe('`true` for a live-mode key, `false` for a test-mode key, `null` without a connection.'),
    psp_account_id: z.string().nullable(),
    psp_account_name: z.string().nullable(),
    ...settings,
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

export const UpdatePspConnection = z.strictObject(z.object(settings).partial().shape);
export type UpdatePspConnection = z.infer<typeof UpdatePspConnection>;

export const RotateWebhookSecret = z.strictObject({ webhook_secret: webhookSecret });
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;
