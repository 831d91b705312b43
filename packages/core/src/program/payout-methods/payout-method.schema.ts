import { z } from 'zod';
import { PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

const METHOD_STATES = ['confirmed', 'held', 'retired'] as const;

const kind = z.string().max(40).meta({ example: 'paypal' });

export const PayoutMethodRecord = z
  .object({
    id: id('payout_method'),
    affiliate_id: id('affiliate'),
    kind: kind.describe('Kind of the method, e.g. `paypal` or `wise`.'),
    state: z
      .enum(METHOD_STATES)
      .describe(
        '`confirmed`: payouts can be paid to it; `held`: the payout details have just changed, and payouts wait until `payouts_held_until`; `retired`: it was removed.',
      ),
    hint: z
      .string()
      .describe('Part of the address by which its owner recognizes it. The address itself is never shown.')
      .meta({ example: 'a…@example.com' }),
    since: instant().describe('Time of the last change of the address.'),
    retired_at: instant().nullable(),
    livemode: livemode(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'PayoutMethod',
    description: 'A way in which an affiliate is paid. An affiliate has at most one method of a kind.',
  });
export type PayoutMethodRecord = z.infer<typeof PayoutMethodRecord>;

export const PayoutMethodEventData = z.object(PayoutMethodRecord.shape).meta({ id: 'PayoutMethodEventData' });

export const PayoutMethodKind = z
  .object({
    kind: PayoutMethodRecord.shape.kind,
    name: textInEachLanguage()
      .describe('Name of the addresses, for people.')
      .meta({ example: { en: 'Bank account (SEPA, euros)', de: 'Bankkonto (SEPA, Euro)' } }),
    paid_by: z
      .string()
      .nullable()
      .describe('Kind that pays to these addresses and has the terms, if these are another form of its addresses.')
      .meta({ example: 'wise' }),
    opens_account: z.boolean().describe('`true` if `open_account` opens accounts of this kind.'),
    fields: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'iban' }),
            required: z.boolean(),
            values: z.array(z.string()).nullable().describe('The only values that are taken. Null if there is no such list.'),
          })
          .meta({ id: 'PayoutAddressField' }),
      )
      .describe('The parts of an `address`.'),
    fee_bearer: PayoutTerms.shape.fee_bearer,
    fees: PayoutTerms.shape.fees,
    minimums: PayoutTerms.shape.minimums,
    paused: PayoutTerms.shape.paused,
    terms_in_words: textInEachLanguage()
      .describe('Minimum and fee of payments in words, and whether they are paused. Empty if there is nothing to say.')
      .meta({ example: { en: 'Payments start at US$20.00.', de: 'Gezahlt wird ab 20,00 $.' } }),
  })
  .meta({ id: 'PayoutMethodKind', description: 'A kind of payout method, with the form of its addresses.' });
export type PayoutMethodKind = z.infer<typeof PayoutMethodKind>;
export const ListPayoutMethodKinds = z.strictObject({});
export const PayoutMethodKindList = z.object({ data: z.array(PayoutMethodKind) });

const address = z
  .record(z.string().max(40), z.string().max(500))
  .describe('Address in the form of the kind (`GET /payout_methods/kinds`), e.g. `{ "email": … }` for `paypal` and `wise`.')
  .meta({ example: { email: 'ada@example.com' } });

export const CreatePayoutMethod = z.strictObject({ affiliate_id: id('affiliate'), kind, address });
export type CreatePayoutMethod = z.infer<typeof CreatePayoutMethod>;
export const UpdatePayoutMethod = z.strictObject({ id: id('payout_method'), address });
export type UpdatePayoutMethod = z.infer<typeof UpdatePayoutMethod>;
export const PayoutMethodId = z.strictObject({ id: id('payout_method') });

export const OpenPayoutAccount = z.strictObject({
  affiliate_id: id('affiliate'),
  kind: kind.describe('Kind of a method whose service opens accounts for affiliates.').meta({ example: 'stripe' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, PROGRAM_REASONS.country_form)
    .optional()
    .describe('Country of the affiliate, by its two letters. Default: that of your account at the service.')
    .meta({ example: 'DE' }),
  return_url: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .optional()
    .describe(
      'Page to which the affiliate comes back. Coming back does not mean that everything was entered. Default: the payout details in the portal.',
    )
    .meta({ example: 'https://shop.example.com/partners' }),
});
export type OpenPayoutAccount = z.infer<typeof OpenPayoutAccount>;

export const OpenedPayoutAccount = z
  .object({
    url: z
      .url()
      .describe('Page of the service where the affiliate enters what it asks for. For the affiliate only, and for a short time.')
      .meta({ example: 'https://connect.stripe.com/setup/s/acct_1032D82eZvKYlo2C/abc' }),
    expires_at: instant().nullable().describe('Time at which `url` ends. Ask for another one then.'),
    payout_method: PayoutMethodRecord,
  })
  .meta({ id: 'OpenedPayoutAccount', description: 'An account of an affiliate at a service that pays.' });
export type OpenedPayoutAccount = z.infer<typeof OpenedPayoutAccount>;

/** Another affiliate of the account who is paid to the same account. */
export const SharedAccount = z
  .object({
    affiliate_id: id('affiliate'),
    affiliate_name: z.string().describe('Name of the other affiliate, or the email address if there is no name.'),
    kind: z.string().describe('Kind of the payout method.').meta({ example: 'bank_sepa' }),
    hint: z.string().describe('Part of the address by which its owner recognizes it.').meta({ example: 'DE…3000' }),
  })
  .meta({ id: 'SharedPayoutAccount', description: 'Another affiliate who is paid to the same account.' });
export type SharedAccount = z.infer<typeof SharedAccount>;

export const ListPayoutMethods = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  affiliate_id: id('affiliate').optional(),
  kind: kind.optional().describe('Returns the methods of a kind.'),
  retired: z.boolean().default(false).describe('`true` also returns methods that were removed.'),
});
export type ListPayoutMethods = z.infer<typeof ListPayoutMethods>;
export const PayoutMethodPage = paginated(PayoutMethodRecord);
