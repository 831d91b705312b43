import { addPart } from '../imports/import-files.ts';
import { getImport, importRowsAsCsv, listImportRows, listImports } from '../imports/import.queries.ts';
import {
  AddPart,
  CreateImport,
  ImportId,
  ImportPage,
  ImportRecord,
  ImportRowPage,
  ImportRowsAsCsv,
  ListImportRows,
  ListImports,
  MAX_PART_BODY_BYTES,
  RunImport,
} from '../imports/import.schema.ts';
import { createImport, runImport, stopImport, undoImport } from '../imports/import.service.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';

export const importsRouter = router({
  list: read('imports')
    .meta(rest('GET', '/api/settings/v1/imports', { summary: 'List imports', description: 'Returns imports, newest first.' }))
    .input(ListImports)
    .output(ImportPage)
    .query(({ ctx, input }) => listImports(ctx, input)),

  get: read('imports')
    .meta(rest('GET', '/api/settings/v1/imports/{id}', { summary: 'Retrieve an import' }))
    .input(ImportId)
    .output(ImportRecord)
    .query(({ ctx, input }) => getImport(ctx, input)),

  rows: read('imports')
    .meta(
      rest('GET', '/api/settings/v1/imports/{id}/rows', {
        summary: 'List the records of an import',
        description: 'Returns what was read, in its order, and what becomes of each record.',
      }),
    )
    .input(ListImportRows)
    .output(ImportRowPage)
    .query(({ ctx, input }) => listImportRows(ctx, input)),

  rowsCsv: read('imports')
    .meta(
      rest('GET', '/api/settings/v1/imports/{id}/rows.csv', {
        summary: 'Download the records of an import as CSV',
        description: 'Returns all records with the given filters as one file, e.g. the problems, with `data` as JSON.',
        csv: true,
      }),
    )
    .input(ImportRowsAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => importRowsAsCsv(ctx, input)),

  create: write('imports', CreateImport)
    .meta(
      rest('POST', '/api/settings/v1/imports', {
        summary: 'Begin an import',
        description:
          'Reads campaigns, affiliates, links, customers, codes, commissions and payouts of another tool in the background, and checks them. Makes nothing until you run the import: until then its `counts` and rows are the dry run.',
        status: 201,
      }),
    )
    .meta({ maxBodyBytes: MAX_PART_BODY_BYTES })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => createImport(ctx, input)),

  addPart: write('imports', AddPart)
    .meta(
      rest('POST', '/api/settings/v1/imports/{id}/parts', {
        summary: 'Add a part of a file',
        description:
          'Adds text at the end of a file of a draft. The files of an import have at most 50 MiB together. `files` of the import says how much has arrived, so that you can go on after a cut connection. Run the import when all files are complete: it is then read, and makes nothing.',
      }),
    )
    .meta({ maxBodyBytes: MAX_PART_BODY_BYTES })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => addPart(ctx, input)),

  run: write('imports', RunImport)
    .meta(
      rest('POST', '/api/settings/v1/imports/{id}/run', {
        summary: 'Run an import',
        description:
          'Reads a draft, so that you see what it would make. Otherwise makes the records in the background, without emails and webhooks. Goes on with an import that was stopped or has failed. An import that is done reads its source again, and makes what is new there. Commissions and payouts that have changed there are made again, unless they were paid here. Other records that exist are not changed.',
      }),
    )
    .output(ImportRecord)
    .mutation(({ ctx, input }) => runImport(ctx, input)),

  stop: write('imports', ImportId)
    .meta(
      rest('POST', '/api/settings/v1/imports/{id}/stop', {
        summary: 'Stop an import',
        description: 'Stops reading or making records. What was made stays. Run the import to go on.',
      }),
    )
    .output(ImportRecord)
    .mutation(({ ctx, input }) => stopImport(ctx, input)),

  undo: write('imports', ImportId)
    .meta(
      rest('POST', '/api/settings/v1/imports/{id}/undo', {
        summary: 'Undo an import',
        description:
          'Removes all records that the import made, in the background. Those that have earned or were used since stay, with the reason `in_use`.',
      }),
    )
    .output(ImportRecord)
    .mutation(({ ctx, input }) => undoImport(ctx, input)),
});
