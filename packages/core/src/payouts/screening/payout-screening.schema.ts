import { z } from 'zod';
import { SCREENERS } from '../../identity/accounts/account.entity.ts';
import { SCREENING_RESULTS } from '../../ledger/payouts/payout-screening.entity.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, text } from '../../platform/wire/scalars.ts';

const list = z
  .string()
  .describe('`ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union.')
  .meta({ example: 'un' });
const list_date = z.string().describe('Day of the version of the list.').meta({ example: '2026-11-27' });

export const PayoutScreeningRecord = z
  .object({
    id: id('payout_screening'),
    affiliate_id: id('affiliate'),
    livemode: livemode(),
    names: z
      .array(z.string())
      .describe(
        'The names that were compared: that of the affiliate, and those of the holders of accounts. Empty if there is none, and once they are erased.',
      )
      .meta({ example: ['Ada Lovelace'] }),
    result: z
      .enum(SCREENING_RESULTS)
      .describe(
        '`clear`: no name is alike; `hit`: names of `matches` are alike; `unavailable`: there is no name to compare, no list is loaded, or a list is too old.',
      ),
    held: z.boolean().describe('`true` if the affiliate is not paid because of the result.'),
    current: z.boolean().describe('`false` for a former screening, e.g. of a former name.'),
    lists: z.array(z.object({ list, list_date })).describe('The lists, in the versions with which the names were compared.'),
    matches: z
      .array(
        z.object({
          list,
          entry: z.string().describe('Reference of the entry in the list.').meta({ example: 'QDi.001' }),
          name: z.string().describe('Name in the list.').meta({ example: 'Ada LOVELACE' }),
          born: z.string().nullable().describe('Days or years of birth, as the list has them.').meta({ example: '1815' }),
        }),
      )
      .describe('At most 20.'),
    screened_at: instant().describe('Time of the last comparison with this outcome.'),
    released_at: instant()
      .nullable()
      .describe('Time at which a person released the hit. It stays released for these names, payout methods and entries.'),
    released_by: z.string().nullable().describe('ID of the person.').meta({ example: 'usr_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    release_reason: z
      .string()
      .nullable()
      .describe('Reason that the person gave.')
      .meta({ example: 'Born in another year, as her passport shows.' }),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'PayoutScreening',
    description: 'A comparison of an affiliate with lists of people and companies that nobody may pay.',
  });
export type PayoutScreeningRecord = z.infer<typeof PayoutScreeningRecord>;

export const ListPayoutScreenings = z.strictObject({
  ...pageInput,
  affiliate_id: id('affiliate').optional(),
  held: z.boolean().optional().describe('`true`: only those because of which affiliates are not paid now.'),
});
export type ListPayoutScreenings = z.infer<typeof ListPayoutScreenings>;
export const PayoutScreeningPage = paginated(PayoutScreeningRecord);

export const PayoutScreeningId = z.strictObject({ id: id('payout_screening') });

export const ReleasePayoutScreening = z.strictObject({
  id: id('payout_screening'),
  reason: text(500)
    .describe('Reason why the affiliate is not the one on the list. Stored with the screening and in the audit log.')
    .meta({ example: 'Born in another year, as her passport shows.' }),
});
export type ReleasePayoutScreening = z.infer<typeof ReleasePayoutScreening>;

const kind = z
  .enum(SCREENERS)
  .nullable()
  .describe('`lists`: affiliates are compared with the lists before they are paid. `null`: they are not.');

export const GetScreeningSettings = z.strictObject({});
export const ConfigureScreening = z.strictObject({ kind });
export type ConfigureScreening = z.infer<typeof ConfigureScreening>;

export const ScreeningSettings = z
  .object({
    kind,
    lists: z
      .array(
        z
          .object({
            list,
            list_date,
            names_count: z.int().describe('Number of names in the list.'),
            loaded_at: instant().describe('Time at which the operator of the installation loaded it.'),
            fresh: z.boolean().describe('`false` if it was loaded more than 30 days ago. Then nobody is cleared.'),
          })
          .meta({ id: 'ScreeningList', description: 'A list that the operator of the installation has loaded.' }),
      )
      .describe('The lists that the operator of the installation has loaded.'),
  })
  .meta({ id: 'ScreeningSettings', description: 'With what affiliates are compared before they are paid.' });
export type ScreeningSettings = z.infer<typeof ScreeningSettings>;
