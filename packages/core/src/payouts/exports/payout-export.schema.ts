import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, text } from '../../platform/wire/scalars.ts';
import {
  approvedBy,
  itemsHash,
  LeftOut as PlainLeftOut,
  paymentReference,
  payoutIds,
  seenHash,
  Totals,
} from '../batches/batch.schema.ts';
import { EXPORT_FORMATS, PROBLEM_CODES } from './export-formats.schema.ts';

const PAYOUT_EXPORT_STATES = ['processing', 'paying', 'paid', 'released'] as const;

const exportFormat = z
  .enum(EXPORT_FORMATS)
  .describe(
    '`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).',
  );

export const PayoutExportRecord = z
  .object({
    id: id('payout_export'),
    state: z
      .enum(PAYOUT_EXPORT_STATES)
      .describe(
        '`processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its payouts were released.',
      ),
    export_format: exportFormat,
    livemode: livemode(),
    notes: z.string().nullable(),
    payouts_count: z.int(),
    totals: Totals,
    payment_reference: z.string().nullable(),
    paid_at: instant().nullable(),
    paid_count: z.int().describe('Number of payouts paid so far.'),
    returned_count: z.int().describe('Number of payouts that were paid and then returned.'),
    released_at: instant().nullable(),
    needs_approval: z.boolean().describe('`true` if somebody else has to approve the export before its file can be read.'),
    items_hash: itemsHash.describe(
      'Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval is for.',
    ),
    approved_by: approvedBy.describe('ID of the person who approved the export.'),
    approved_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutExport', description: 'A set of payouts exported to a file, to be paid outside the service.' });
export type PayoutExportRecord = z.infer<typeof PayoutExportRecord>;

export const PayoutExportEventData = PayoutExportRecord.omit({
  needs_approval: true,
  items_hash: true,
  approved_by: true,
  approved_at: true,
}).meta({ id: 'PayoutExportEventData' });

export const PayoutExportFile = PayoutExportRecord.extend({
  filename: z.string(),
  content: z.string().describe('File content, fixed when the export is created. Empty while the export needs an approval.'),
}).meta({ id: 'PayoutExportFile', description: 'A payout export with its file.' });
export type PayoutExportFile = z.infer<typeof PayoutExportFile>;

export const CreatePayoutExport = z.strictObject({
  payout_ids: payoutIds().optional().describe('Payouts to export; each must be eligible. Defaults to all eligible payouts.'),
  export_format: exportFormat.optional().describe('File format. Defaults to `csv`.'),
  livemode: z
    .boolean()
    .default(true)
    .describe('`false` exports payouts of the payment provider’s test mode. An export never mixes modes.'),
  notes: text(2_000).optional().describe('Internal notes, not included in the file.'),
  leave_out_unpayable: z
    .boolean()
    .default(false)
    .describe('`true` leaves out payouts that the format cannot pay, instead of failing.'),
});
export type CreatePayoutExport = z.infer<typeof CreatePayoutExport>;

/** Description of the creation of an export, in the words of the wire. */
export const CREATE_TEXTS = {
  description:
    'Claims payouts of one mode: those in `payout_ids`, or all eligible payouts. Until the export is paid or deleted, the payouts cannot be paid in any other way, and new commissions go into the affiliates’ next payouts. Fails and lists the affected payouts if a payout is not eligible, an affiliate has no email address for the format (PayPal for `walleta`, Wise for `walletb`) or no bank account (`bank_sepa`, `bank_ach`), a `walleta` export would mix currencies, or there are too many payouts (`walleta` 5,000, `walletb` 1,000, `bank_sepa` and `bank_ach` 10,000, `csv` 100,000). With `leave_out_unpayable`, exports the other payouts instead and names these in `left_out`.',
};

const LeftOut = PlainLeftOut.extend({
  code: z
    .enum(PROBLEM_CODES)
    .describe(
      '`method_paused`: the account has paused the method (`payout_terms`); `missing_wallet_address`: the affiliate has no address for this format; `unsafe_wallet_address`: the address starts like a spreadsheet formula; `mixed_currencies`: the file pays another currency; `fractional_amount`: the method pays the currency in whole units only; `unsupported_currency`: the format does not pay the currency; `unsupported_amount`: the amount is too large for the format; `below_minimum` and `fee_exceeds_amount`: the amount is below the minimum of the method, or not above its fee; `too_many_rows`: the file is full.',
    ),
  message: z.string(),
}).meta({ id: 'PayoutLeftOut', description: 'A payout that a file of a format cannot pay, with the first reason.' });
export type LeftOut = z.infer<typeof LeftOut>;

export const CreatedPayoutExport = PayoutExportRecord.extend({
  left_out: z.array(LeftOut).optional().describe('With `leave_out_unpayable`: at most 100 of the payouts that were left out.'),
}).meta({ id: 'CreatedPayoutExport', description: 'A new payout export.' });
export type CreatedPayoutExport = z.infer<typeof CreatedPayoutExport>;

export const CheckPayoutExport = z.strictObject({
  payout_ids: payoutIds(100).optional().describe('Payouts to check. Defaults to all eligible payouts.'),
  livemode: z.boolean().default(true).describe('`false` checks payouts of the payment provider’s test mode.'),
});
export type CheckPayoutExport = z.infer<typeof CheckPayoutExport>;

export const PayoutExportCheck = z
  .object({
    formats: z.array(
      z.object({
        export_format: exportFormat,
        payouts_count: z.int().describe('Number of payouts that a file of this format can pay.'),
        totals: PayoutExportRecord.shape.totals,
        left_out_count: z.int(),
        left_out: z.array(LeftOut).describe('At most 100 of the payouts that the file cannot pay.'),
      }),
    ),
  })
  .meta({ id: 'PayoutExportCheck', description: 'Contents of an export that is not created, by format.' });
export type PayoutExportCheck = z.infer<typeof PayoutExportCheck>;

export const ListPayoutExports = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListPayoutExports = z.infer<typeof ListPayoutExports>;
export const PayoutExportPage = paginated(PayoutExportRecord);

export const GetPayoutExport = z.strictObject({
  id: id('payout_export'),
  export_format: exportFormat.optional().describe('Format of the returned file. Defaults to the format of the export.'),
});
export type GetPayoutExport = z.infer<typeof GetPayoutExport>;

export const PayoutExportId = z.strictObject({ id: id('payout_export') });

export const TakeOutOfPayoutExport = z.strictObject({
  id: id('payout_export'),
  payout_ids: payoutIds(100).describe('Payouts of the export that are not paid with it.'),
});
export type TakeOutOfPayoutExport = z.infer<typeof TakeOutOfPayoutExport>;

export const ApprovePayoutExport = z.strictObject({
  id: id('payout_export'),
  items_hash: seenHash.describe('The `items_hash` of the export that you have seen. With other payouts, the request is refused.'),
});
export type ApprovePayoutExport = z.infer<typeof ApprovePayoutExport>;

export const PayPayoutExport = z.strictObject({
  payout_export_id: id('payout_export'),
  payment_reference: paymentReference,
  already_sent: z
    .boolean()
    .default(false)
    .describe(
      '`true` if the money was sent already: marks the payouts as paid even if they have changed since the export was created.',
    ),
  refused: z
    .array(
      z.strictObject({
        payout_id: id('payout'),
        reason: text(500).describe('Reason of the refusal.').meta({ example: 'Account closed' }),
      }),
    )
    .max(1_000)
    .default([])
    .describe('Payouts that were not paid. They are open again.'),
});
export type PayPayoutExport = z.infer<typeof PayPayoutExport>;

export const ReportPayoutExport = z.strictObject({
  payout_export_id: id('payout_export'),
  bank_report: z
    .string()
    .min(1)
    .max(900_000)
    .describe('Content of the file of your bank: pain.002, camt.053 or camt.054.')
    .meta({ example: '<?xml version="1.0"?><Document>…</Document>' }),
});
export type ReportPayoutExport = z.infer<typeof ReportPayoutExport>;

const ReportProblem = z
  .object({
    payout_id: id('payout').nullable().describe('Null for a problem of the whole file.'),
    code: z
      .enum(['amount_mismatch', 'sum_mismatch', 'arrived_after_all'])
      .describe(
        '`amount_mismatch`: the bank has booked another amount, so the payout stays claimed; `sum_mismatch`: the bank has booked the file as a whole with another sum or number of payments; `arrived_after_all`: the bank has booked a payment that was given up here, and may have been paid again.',
      ),
  })
  .meta({ id: 'BankReportProblem', description: 'A statement of a bank that a person has to look at.' });

export const PayoutExportReport = z
  .object({
    payout_export: PayoutExportRecord,
    booked_count: z.int().describe('Number of payouts that the report has marked as paid.'),
    rejected_count: z.int().describe('Number of payouts that were not paid and are open again.'),
    returned_count: z.int().describe('Number of payouts whose money has come back.'),
    unchanged_count: z.int().describe('Number of payouts about which the report says nothing new.'),
    other_count: z.int().describe('Number of statements about payments of other files.'),
    problems: z.array(ReportProblem).describe('At most 100.'),
  })
  .meta({ id: 'PayoutExportReport', description: 'The effect of a report of a bank on the payouts of an export.' });
export type PayoutExportReport = z.infer<typeof PayoutExportReport>;
