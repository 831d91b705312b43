import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode } from '../../platform/wire/scalars.ts';

const credentials = z
  .record(z.string().max(40), z.string().min(1).max(500))
  .describe('An object with the `fields` of the rail. They determine live or test mode. They are never shown again.')
  .meta({ example: { client_id: 'AbC1dEf2', client_secret: 'EFg2hIj3' } });

export const PayoutRailRecord = z
  .object({
    id: id('payout_rail'),
    kind: z.string().describe('Kind of the method whose payments go through the rail.').meta({ example: 'paypal' }),
    livemode: livemode(),
    provider_account_id: z.string().describe('Your account at the service that pays.').meta({ example: 'AbC1dEf2' }),
    events_url: z
      .url()
      .describe('URL to which the service that pays sends notices.')
      .meta({ example: 'https://affiliates.example.com/rails/rail_01k9v7m3q8e2t4r6w8y0a1b2c3/events' }),
    has_endpoint: z.boolean().describe('`false` if no notices come, so that payments are only asked about every few minutes.'),
    problem: z
      .string()
      .nullable()
      .describe('Reason for which no further payment is sent. Correct the cause, and resume the rail.')
      .meta({ example: 'Authorization failed due to insufficient permissions.' }),
    problem_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutRail', description: 'An account at a service that pays affiliates. Contains no secrets.' });
export type PayoutRailRecord = z.infer<typeof PayoutRailRecord>;

export const PayoutRailKind = z
  .object({
    kind: PayoutRailRecord.shape.kind,
    name: z.string().describe('Name of the service that pays.').meta({ example: 'PayPal' }),
    sends: z
      .boolean()
      .describe('`true` if the service sends payments; `false` for a bank account from which you pay the files of exports.'),
    fields: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'client_id' }),
            required: z.boolean(),
            secret: z.boolean().describe('`true` for a value that pages hide.'),
            placeholder: z.string().describe('Form of the value.').meta({ example: 'AbC1' }),
          })
          .meta({ id: 'RailField' }),
      )
      .describe('The fields of `credentials`.'),
  })
  .meta({ id: 'PayoutRailKind', description: 'A service that can be connected to pay affiliates.' });
export type PayoutRailKind = z.infer<typeof PayoutRailKind>;

export const ListPayoutRailKinds = z.strictObject({});
export const PayoutRailKindList = z.object({ data: z.array(PayoutRailKind) });

export const ListPayoutRails = z.strictObject(pageInput);
export type ListPayoutRails = z.infer<typeof ListPayoutRails>;
export const PayoutRailPage = paginated(PayoutRailRecord);

export const PayoutRailId = z.strictObject({ id: id('payout_rail') });

export const CreatePayoutRail = z.strictObject({ kind: PayoutRailRecord.shape.kind.max(40), credentials });
export type CreatePayoutRail = z.infer<typeof CreatePayoutRail>;
