import { z } from 'zod';
import { csvPosition } from '../platform/wire/csv.ts';
import { pageInput, paginated } from '../platform/wire/pagination.ts';
import { currency, currencyCode, id, instant, livemode, signedCents, text } from '../platform/wire/scalars.ts';
import { CSV_KINDS } from './csv/columns.ts';
import { DATE_ORDERS, DECIMAL_MARKS } from './port/file-format.ts';
import { FAILURES, IMPORT_STATES, OUTCOMES, MONEY_KINDS, RECORD_KINDS, ROW_REASONS } from './port/import.entity.ts';
import { TOOL_KINDS } from './tools.ts';

/** Maximum size of the files of an import together, in bytes. */
export const MAX_BYTES_OF_FILES = 50 * 1_048_576;
/** Maximum size of a part of a file, in characters. */
const MAX_PART = 1_048_576;
/** Maximum size of a request with a part, whose line ends and quotes are two characters in JSON. */
export const MAX_PART_BODY_BYTES = 2 * MAX_PART;

const kind = z.enum(RECORD_KINDS).describe('Kind of the record.');

const outcome = z
  .enum(OUTCOMES)
  .describe(
    '`new`: the record is made, or was made by this import; `existing`: your account has the record already, and it stays as it is; `skipped`: there is nothing to do; `problem`: the record cannot be made, see `reason`.',
  );

export const ImportRecord = z
  .object({
    id: id('import'),
    livemode: livemode(),
    source: z.string().describe('The tool from which the records come.').meta({ example: 'rewardful' }),
    state: z
      .enum(IMPORT_STATES)
      .describe(
        '`reading`: the records are read and checked, and nothing is made yet; `draft`: files arrive in parts, or reading was stopped; `ready`: everything is known that the import would make; `running`: records are made; `done`; `undoing` and `undone`: the records that the import made are removed; `failed`: see `failure`.',
      ),
    files: z
      .array(
        z.object({
          kind: z.string().describe('The records in the file.').meta({ example: 'affiliates' }),
          bytes: z.int().describe('Bytes of the text in UTF-8 that have arrived.'),
          is_complete: z.boolean().describe('False while parts of the file are still to come.'),
        }),
      )
      .describe('Files that were not read yet. They are deleted as soon as they are read, or cannot be read.'),
    campaign_id: id('campaign').nullable().describe('Campaign of affiliates for whom the source names none.'),
    currency: currencyCode().nullable().describe('Currency of amounts for which the source names none.'),
    counts: z
      .array(
        z.object({
          kind,
          outcome: outcome.nullable().describe('`null` for records that are not checked yet.'),
          count: z.int(),
          done: z.int().describe('Number of them with which the import has finished.'),
        }),
      )
      .describe('Numbers of records by kind and outcome.'),
    totals: z
      .array(
        z.object({
          kind: z.enum(MONEY_KINDS).describe('Kind of the records.'),
          currency: currencyCode().nullable(),
          state: z.string().describe('State of the records at the source, in the words of this API.').meta({ example: 'due' }),
          count: z.int(),
          source_cents: signedCents().describe('Sum of all records of the source.'),
          here_cents: signedCents().describe(
            'Sum of those that the import makes or has made, or that your account has. The difference is that of the records that are skipped or a problem.',
          ),
        }),
      )
      .describe('Amounts of commissions and payouts by currency and state.'),
    progress: z
      .object({
        phase: z.enum(['reading', 'checking', 'making', 'removing']).describe('The present work.'),
        done: z.int().describe('Number of records with which it is done.'),
        total: z.int().nullable().describe('Number of all records, or `null` if the source does not say how many it has.'),
        per_minute: z.int().describe('Records in a minute since the work began, or went on.'),
        seconds_left: z.int().nullable().describe('Seconds until the work is done, at this rate.'),
      })
      .nullable()
      .describe('Progress of the work in the background; `null` if there is none.'),
    expected_count: z.int().nullable().describe('Number of records that the source says to have, or `null`.'),
    failure: z
      .enum(FAILURES)
      .nullable()
      .describe(
        'Reason why the import failed. `key_refused`: the source does not accept the key; `no_api_access`: your plan there has no API; `not_understood`: an answer has another form than documented; `goes_round`: a list begins again and again; `unreachable`: the source did not answer for hours; `file_unreadable`: a file is not the CSV that its kind needs. Run the import again to go on where it stopped.',
      ),
    failure_detail: z.string().nullable().describe('The column of a file, or the list of the source, that the failure is about.'),
    resume_at: instant().nullable().describe('Time at which a source that asked to wait is asked again.'),
    read_at: instant().nullable(),
    done_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Import', description: 'A move of your program from another tool. Contains no key.' });
export type ImportRecord = z.infer<typeof ImportRecord>;

export const ImportEventData = z.object(ImportRecord.shape).meta({ id: 'ImportEventData' });

export const ImportRow = z
  .object({
    kind,
    source_id: z.string().describe('ID of the record at the source, or its place in a file.').meta({ example: 'affiliates 1/3' }),
    outcome: outcome.nullable(),
    reason: z
      .enum(ROW_REASONS)
      .nullable()
      .describe(
        '`repeated`: an earlier record of the import is the same; `no_customer`: a visitor who left no name, a customer of a test, or one whom the source no longer counts for the affiliate; `invalid`: a field has no valid value, see `detail`; `campaign_missing`, `affiliate_missing`: the record refers to one that is not there, or is a campaign of which the source does not tell what affiliates earn and that has no namesake here; `token_taken`: a link of another affiliate has the token; `other_affiliate`: the customer belongs to another affiliate here; `currency_missing`: neither the record nor the import names a currency; `no_money`: points, months and the like; `earned_here`: the sale has a commission here already; `not_paid`: the payout is not paid yet, and its commissions wait for a payout here; `being_paid`: the former tool is paying the payout, so run the import again when it has; `commissions_differ`: the commissions of the payout are not known, not all of them are paid, or they do not add up to its amount; `changed_there`: the record has changed at the source, but its commission was paid or adjusted here; `refused`: see `detail`; `in_use`: the record has earned or was paid since, so it is not removed.',
      ),
    detail: z.string().nullable().describe('The field that is wrong, and the code of the error.'),
    record_id: z.string().nullable().describe('ID of the record here. For a customer, that of the referral.'),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The record as it was understood.', example: { email: 'ada@example.com', first_name: 'Ada' } }),
  })
  .meta({ id: 'ImportRow', description: 'A record of the source, and what becomes of it.' });
export type ImportRow = z.infer<typeof ImportRow>;

const credentials = z
  .string()
  .min(1)
  .max(500)
  .describe(
    'Key of your account at the tool, with which everything can be read. For `first_promoter`, a colon and the ID of the account follow, for `tolt` a colon and the ID of the program, for `partner_stack` a colon and the secret key. Stored encrypted, and deleted when the import is done.',
  );

export const CreateImport = z.strictObject({
  source: text(40)
    .describe(`\`csv\` for files, otherwise the name of the tool: ${TOOL_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`)
    .meta({ example: 'csv' }),
  credentials: credentials.optional(),
  files: z
    .array(
      z.strictObject({
        kind: z.enum(CSV_KINDS).describe('The records in the file.'),
        content: z
          .string()
          .min(1)
          .max(MAX_PART)
          .optional()
          .describe('The file as text, with a line of headers, or the first part of the file. Optional for a draft.'),
        columns: z
          .record(z.string().max(200), z.string().max(60))
          .optional()
          .describe('Fields by the header of their column, for headers that do not speak for themselves.')
          .meta({ example: { Mail: 'email' } }),
        date_order: z
          .enum(DATE_ORDERS)
          .optional()
          .describe('Order of days such as `01/02/2026`. Without it, days with two readings are problems.'),
        decimal_mark: z
          .enum(DECIMAL_MARKS)
          .optional()
          .describe('Mark before the decimals of amounts. Without it, amounts with two readings are problems, e.g. `1.234`.'),
      }),
    )
    .max(20)
    .optional()
    .describe('The files of the source `csv`. Larger files arrive in parts.'),
  draft: z.boolean().optional().describe('True to send the files in parts. Nothing is read until you run the import.'),
  campaign_id: id('campaign')
    .optional()
    .describe('Campaign of affiliates for whom the source names none. Defaults to your default campaign.'),
  currency: currency().optional().describe('Currency of amounts for which the source names none.'),
});
export type CreateImport = z.infer<typeof CreateImport>;

export const AddPart = z.strictObject({
  id: id('import'),
  file: z.int().min(0).max(19).describe('Number of the file in the order of the import, from 0.'),
  offset: z
    .int()
    .min(0)
    .max(MAX_BYTES_OF_FILES)
    .describe(
      'Bytes of the text in UTF-8 before this part: those that have arrived. A part that has arrived already changes nothing.',
    ),
  content: z.string().max(MAX_PART).describe('The part as text.'),
  is_last: z.boolean().optional().describe('True for the last part of the file.'),
});
export type AddPart = z.infer<typeof AddPart>;

export const ImportId = z.strictObject({ id: id('import') });
export type ImportId = z.infer<typeof ImportId>;

export const RunImport = z.strictObject({
  id: id('import'),
  credentials: credentials.optional().describe('A key, if the former one was deleted or is no longer valid.'),
});
export type RunImport = z.infer<typeof RunImport>;

export const ListImports = z.strictObject(pageInput);
export type ListImports = z.infer<typeof ListImports>;
export const ImportPage = paginated(ImportRecord);

const rowFilters = {
  id: id('import'),
  kind: kind.optional().describe('Filters by kind.'),
  outcome: z.enum(OUTCOMES).optional().describe('Filters by outcome.'),
};

export const ListImportRows = z.strictObject({ ...pageInput, ...rowFilters });
export type ListImportRows = z.infer<typeof ListImportRows>;
export const ImportRowsAsCsv = z.strictObject({ ...rowFilters, ...csvPosition });
export type ImportRowsAsCsv = z.infer<typeof ImportRowsAsCsv>;
export const ImportRowPage = paginated(ImportRow);
