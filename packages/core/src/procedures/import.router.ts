import { listShadows, sumShadows } from '../imports/comparison/comparison.queries.ts';
import { ListShadows, ShadowPage, ShadowSums, SumShadows } from '../imports/comparison/comparison.schema.ts';
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
import { beginShadow, BeginShadow, endShadow, EndShadow, getShadow, Shadow } from '../imports/shadow.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';

export const importsRouter = router({
  list: rest(read('imports'), 'GET /api/settings/v1/imports', {
    summary: 'List imports',
    description: 'Returns imports, newest first.',
  })
    .input(ListImports)
    .output(ImportPage)
    .query(({ ctx, input }) => listImports(ctx, input)),

  get: rest(read('imports'), 'GET /api/settings/v1/imports/{id}', { summary: 'Retrieve an import' })
    .input(ImportId)
    .output(ImportRecord)
    .query(({ ctx, input }) => getImport(ctx, input)),

  rows: rest(read('imports'), 'GET /api/settings/v1/imports/{id}/rows', {
    summary: 'List the records of an import',
    description: 'Returns what was read, in its order, and what becomes of each record.',
  })
    .input(ListImportRows)
    .output(ImportRowPage)
    .query(({ ctx, input }) => listImportRows(ctx, input)),

  rowsCsv: rest(read('imports'), 'GET /api/settings/v1/imports/{id}/rows.csv', {
    summary: 'Download the records of an import as CSV',
    description: 'Returns all records with the given filters as one file, e.g. the problems, with `data` as JSON.',
    csv: true,
  })
    .input(ImportRowsAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => importRowsAsCsv(ctx, input)),

  create: rest(write('imports', CreateImport), 'POST /api/settings/v1/imports', {
    summary: 'Begin an import',
    description:
      'Reads campaigns, affiliates, links, customers, codes, commissions and payouts of another tool in the background, and checks them. Makes nothing until you run the import: until then its `counts` and rows are the dry run.',
    status: 201,
  })
    .meta({ maxBodyBytes: MAX_PART_BODY_BYTES })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => createImport(ctx, input)),

  addPart: rest(write('imports', AddPart), 'POST /api/settings/v1/imports/{id}/parts', {
    summary: 'Add a part of a file',
    description:
      'Adds text at the end of a file of a draft. The files of an import have at most 50 MiB together. `files` of the import says how much has arrived, so that you can go on after a cut connection. Run the import when all files are complete: it is then read, and makes nothing.',
  })
    .meta({ maxBodyBytes: MAX_PART_BODY_BYTES })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => addPart(ctx, input)),

  run: rest(write('imports', RunImport), 'POST /api/settings/v1/imports/{id}/run', {
    summary: 'Run an import',
    description:
      'Reads a draft, so that you see what it would make. Otherwise makes the records in the background, without emails and webhooks. Goes on with an import that was stopped or has failed. An import that is done reads its source again, and makes what is new there. Commissions and payouts that have changed there are made again, unless they were paid here. Other records that exist are not changed.',
  })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => runImport(ctx, input)),

  stop: rest(write('imports', ImportId), 'POST /api/settings/v1/imports/{id}/stop', {
    summary: 'Stop an import',
    description: 'Stops reading or making records. What was made stays. Run the import to go on.',
  })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => stopImport(ctx, input)),

  undo: rest(write('imports', ImportId), 'POST /api/settings/v1/imports/{id}/undo', {
    summary: 'Undo an import',
    description:
      'Removes all records that the import made, in the background. Those that have earned or were used since stay, with the reason `in_use`.',
  })
    .output(ImportRecord)
    .mutation(({ ctx, input }) => undoImport(ctx, input)),
});

export const shadowsRouter = router({
  get: rest(read('imports'), 'GET /api/settings/v1/shadow', { summary: 'Retrieve the shadow' })
    .output(Shadow)
    .query(({ ctx }) => getShadow(ctx)),

  begin: rest(write('imports', BeginShadow), 'POST /api/settings/v1/shadow', {
    summary: 'Begin a shadow',
    description:
      'From now on, your former tool decides what sales earn, and pays: sales are recorded here and earn nothing, payouts wait, and affiliates get no news by email. Imports keep their keys and read their tools again each day, so that you can compare. With `since`, the former tool has decided from then on, and your payment providers are asked for all payments since. An account that is a shadow already may get an earlier beginning.',
  })
    .output(Shadow)
    .mutation(({ ctx, input }) => beginShadow(ctx, input)),

  end: rest(write('imports', EndShadow), 'POST /api/settings/v1/shadow/end', {
    summary: 'End the shadow',
    description:
      'Makes the switch: what is charged from now on earns here. Imports from tools read them once more, in the background, so that everything is here that was decided there until now. Payouts wait until they have.',
  })
    .output(Shadow)
    .mutation(({ ctx, input }) => endShadow(ctx, input)),

  list: rest(read('imports'), 'GET /api/settings/v1/shadows', {
    summary: 'Compare with a former tool',
    description:
      'Returns customers, newest first, with what the former tool and this service give for each of their sales: imported ones, and those that the payment provider has told. Computed when it is read, by the current terms of campaigns unless they have changed since; nothing is paid or stored.',
  })
    .input(ListShadows)
    .output(ShadowPage)
    .query(({ ctx, input }) => listShadows(ctx, input)),

  sums: rest(read('imports'), 'GET /api/settings/v1/shadows/sums', {
    summary: 'Sum up the comparison with a former tool',
    description:
      'Returns what the former tool and this service give, by affiliate, month and currency, for the next 200 customers. Add the sums of all parts: pass `next` as `after` until it is `null`.',
  })
    .input(SumShadows)
    .output(ShadowSums)
    .query(({ ctx, input }) => sumShadows(ctx, input)),
});
