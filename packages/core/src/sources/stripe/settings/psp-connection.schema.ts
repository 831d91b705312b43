import { z } from 'zod';
import { instant } from '../../../platform/wire/scalars.ts';
import { OUTSIDE_PAYMENTS } from '../../connections/connection.entity.ts';
import { PERMISSION_PURPOSES } from '../permissions.ts';
import { STRIPE_REASONS } from '../reasons.ts';

/** Stored as given. Surrounding whitespace is refused instead of trimmed. */
const secretKey = z.string().max(500).meta({
  description: 'Stripe secret key or restricted key. The key determines live or test mode.',
  example: 'rk_test_51N4X2xQe9k3sBfVtYw7rLd0a',
});

const webhookSecret = z
  .string()
  .max(500)
  .refine((secret) => /^whsec_[\w+/=-]+$/.test(secret), STRIPE_REASONS.signing_secret_form)
  .meta({ description: 'Signing secret of the webhook endpoint in Stripe.', example: 'whsec_5f0c1a527f0e4f0c9d3c0a7a1c5f6f3b' });

/** The merchant's choices about a connection. Kept when the account is connected again. */
const settings = {
  connected_account_id: z
    .string()
    .regex(/^acct_[0-9A-Za-z_]{1,200}$/, STRIPE_REASONS.connected_account_form)
    .nullable()
    .describe(
      'For a Stripe Connect platform: the connected account whose events count. `null` for the platform’s own account. Events of other accounts are kept without an effect.',
    ),
  customer_id_key: z
    .string()
    .min(1)
    .max(40)
    .refine((key) => !/[[\]]/.test(key), STRIPE_REASONS.metadata_key_form)
    .nullable()
    .describe(
      'Key of Stripe metadata under which you store your own ID of the customer. Initially `customer_id`. `null` if there is no such key.',
    ),
  outside_payments: z
    .enum(OUTSIDE_PAYMENTS)
    .describe(
      'Effect of an invoice that is marked as paid outside Stripe: `count` (earns commissions) or `exclude`. Applies to payments that become known afterwards. Initially `count`.',
    ),
  write_back: z
    .boolean()
    .describe(
      '`true` if the service writes the IDs of `affiliate`, `campaign` and `commission` into the metadata of the customer and the invoice in Stripe. Applies to commissions that change afterwards. Initially `false`.',
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
    endpoint_id: z
      .string()
      .nullable()
      .describe('ID of the webhook endpoint in Stripe, if the service created it; otherwise `null`.'),
    ...settings,
    write_back_problem: z.string().nullable().describe('Reason why the last attempt to write metadata failed. It is repeated.'),
    webhook_url: z.url().meta({
      description: 'URL to which Stripe must send events.',
      example: 'https://affiliates.example.com/psp/webhooks/acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
    }),
    webhook_event_types: z
      .array(z.string())
      .meta({ description: 'Event types to subscribe to in Stripe.', example: ['invoice.paid', 'charge.refunded'] }),
    previous_webhook_secret_expires_at: instant()
      .nullable()
      .describe('Time until which the previous signing secret is also accepted.'),
    created_at: instant().nullable(),
    updated_at: instant().nullable(),
  })
  .meta({ id: 'PspConnection', description: 'The account’s connection to Stripe. Contains no secrets.' });
export type PspConnectionRecord = z.infer<typeof PspConnectionRecord>;

export const GetPspConnection = z.strictObject({}).optional();

export const ConnectPsp = z.strictObject({
  secret_key: secretKey,
  webhook_secret: webhookSecret
    .optional()
    .describe(
      'Signing secret of a webhook endpoint that you have created in Stripe. Without it, the service creates the endpoint, for which the key needs the permission Webhook Endpoints (write).',
    ),
});
export type ConnectPsp = z.infer<typeof ConnectPsp>;

export const UpdatePspConnection = z.strictObject(z.object(settings).partial().shape);
export type UpdatePspConnection = z.infer<typeof UpdatePspConnection>;

export const RepairEndpoint = z.strictObject({});

export const EndpointStatus = z
  .object({
    endpoint: z
      .object({
        id: z.string(),
        is_managed: z.boolean().describe('`true` if the service created the endpoint.'),
        is_enabled: z.boolean(),
        api_version: z.string().nullable().describe('`null` for the default version of the Stripe account.'),
        missing_event_types: z
          .array(z.string())
          .describe('Event types that the service handles and the endpoint does not receive.'),
      })
      .nullable(),
    problem: z
      .enum(['missing', 'disabled', 'missing_events', 'unreadable'])
      .nullable()
      .describe('Reason why events may be missing. `unreadable`: the key may not read endpoints.'),
    missing_permissions: z
      .array(z.object({ resource: z.string(), access: z.enum(['read', 'write']), purpose: z.enum(PERMISSION_PURPOSES) }))
      .describe(
        'Permissions that the key lacks, as Stripe names them. `purpose`: `endpoint` to create and repair the webhook endpoint, `events` to read what events leave out, `lines` to read what was sold, `codes` for promo codes, `write_back` to write metadata, if you have switched that on.',
      ),
  })
  .meta({ id: 'PspEndpointStatus', description: 'The webhook endpoint in Stripe, and what the key may not do.' });
export type EndpointStatus = z.infer<typeof EndpointStatus>;

export const RotateWebhookSecret = z.strictObject({ webhook_secret: webhookSecret });
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>;
