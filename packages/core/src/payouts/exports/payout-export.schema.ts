import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents, text } from '../../platform/wire/scalars.ts';
import { EXPORT_FORMATS } from './formats/index.ts';
import { PAYOUT_EXPORT_STATES } from './payout-export.entity.ts';

const exportFormat = z
  .enum(EXPORT_FORMATS)
  .describe(
    '`csv`: every field, for spreadsheets; `walleta`: PayPal’s Payouts web upload; `walletb`: Wise’s batch upload by e-mail.',
  );

export const PayoutExportRecord = z
  .object({
    id: id('payout_export'),
    state: z
      .enum(PAYOUT_EXPORT_STATES)
      .describe('`processing`: holds its payouts until they are paid or released; `released`: was deleted.'),
    export_format: exportFormat,
    notes: z.string().nullable(),
    payouts_count: z.int(),
    totals: z.array(z.object({ currency: currencyCode(), payouts_count: z.int(), amount_cents: signedCents() })),
    payment_reference: z.string().nullable(),
    paid_at: instant().nullable(),
    released_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutExport', description: 'Payouts taken out together to be paid elsewhere.' });
export type PayoutExportRecord = z.infer<typeof PayoutExportRecord>;

export const PayoutExportFile = PayoutExportRecord.extend({
  filename: z.string(),
  content: z.string().describe('The file, frozen when the export was created.'),
}).meta({ id: 'PayoutExportFile', description: 'An export with the file to upload or to open.' });
export type PayoutExportFile = z.infer<typeof PayoutExportFile>;

export const CreatePayoutExport = z.strictObject({
  payout_ids: z
    .array(id('payout'))
    .min(1)
    .max(10_000)
    .optional()
    .describe('Payouts to export, all of which must be eligible; every eligible one when missing.'),
  export_format: exportFormat.optional().describe('`csv` when missing.'),
  notes: text(2_000).optional().describe('For yourselves; appears in no file.'),
});
export type CreatePayoutExport = z.infer<typeof CreatePayoutExport>;

export const ListPayoutExports = z.strictObject(pageInput);
export const PayoutExportPage = paginated(PayoutExportRecord);

export const GetPayoutExport = z.strictObject({
  id: id('payout_export'),
  export_format: exportFormat.optional().describe('Renders the same payouts in another format than the export’s own.'),
});
export type GetPayoutExport = z.infer<typeof GetPayoutExport>;

export const PayoutExportId = z.strictObject({ id: id('payout_export') });

export const PayPayoutExport = z.strictObject({
  payout_export_id: id('payout_export'),
  payment_reference: text(255).optional().describe('Yours, of the transfer; kept with every payout.'),
});
export type PayPayoutExport = z.infer<typeof PayPayoutExport>;
