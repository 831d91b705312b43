import { sql } from 'kysely';
import { callerId } from '../platform/call/caller.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import type { Locked } from '../platform/call/locks.ts';
import { insert, lock, newRecordColumns, referenced, save } from '../platform/call/records.ts';
import { DomainError, invalid } from '../platform/errors/errors.ts';
import { STATES } from '../platform/texts/refusal-words.ts';
import { newId } from '../platform/wire/ids.ts';
import { Campaign, isActive } from '../program/campaigns/campaign.entity.ts';
import { PROGRAM_REASONS } from '../program/reasons.ts';
import { discardFiles, sealed, storeFiles } from './import-files.ts';
import { beginWork, importRecord, inputOf } from './import.queries.ts';
import type { CreateImport, ImportId, ImportRecord, RunImport } from './import.schema.ts';
import { findKind } from './kinds.ts';
import type { ImportInput } from './port/import-kind.ts';
import { Import, type ImportState } from './port/import.entity.ts';
import { partsOfKey } from './port/read-answers.ts';
import { IMPORT_REASONS } from './reasons.ts';
import type { Tool } from './tools.ts';

/**
 * Begins an import: a job reads and checks its records, and makes nothing until the import is run (docs/rules/imports.md).
 *
 * @throws VALIDATION_ERROR for an unknown source, a missing or incomplete key, missing or too large files, and an unknown or archived campaign; CONFLICT if
 *   too many files wait to be read
 */
export async function createImport(ctx: WriteCtx, input: CreateImport): Promise<ImportRecord> {
  const { source, credentials = null, files = [], campaign_id = null, currency = null, draft = false } = input;
  if (campaign_id !== null && !isActive(await referenced(ctx, Campaign, campaign_id, 'campaign_id')))
    throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
  const kind = findKind(source);
  if (kind === null) throw invalid('source', IMPORT_REASONS.no_such_source, 'not_found');
  const needsKey = kind.tool !== null;
  if (needsKey && credentials === null) throw invalid('credentials', REQUIRED, 'required');
  assertKey(kind.tool, credentials);
  if (!needsKey && files.length === 0) throw invalid('files', REQUIRED, 'required');
  if (!draft && files.some(({ content }) => content === undefined)) throw invalid('files', REQUIRED, 'required');
  const row = insert(ctx, Import, {
    ...newRecordColumns(ctx, newId('import', ctx.clock.now())),
    source,
    state: draft ? 'draft' : 'reading',
    sealed_input: sealed(
      ctx,
      needsKey ? { credentials, files: [] } : { credentials: null, files: await storeFiles(ctx, files, draft) },
    ),
    campaign_id,
    currency,
    cursor: null,
    expected_count: null,
    read_count: 0,
    phase_began_at: draft ? null : ctx.now,
    phase_from: 0,
    read_at: null,
    resume_at: null,
    failure: null,
    failure_detail: null,
    created_by: callerId(ctx.principal),
    done_at: null,
  });
  if (!draft) goOn(ctx);
  return importRecord(ctx, row);
}

const REQUIRED = IMPORT_REASONS.required_for_source;

/** Throws VALIDATION_ERROR for a key that lacks a part. */
function assertKey(tool: Tool | null, credentials: string | null): void {
  if (tool !== null && tool.secondPart !== null && credentials !== null && partsOfKey(credentials).includes(''))
    throw invalid('credentials', IMPORT_REASONS.key_form, 'invalid_format');
}

function goOn({ services, afterCommit }: WriteCtx): void {
  afterCommit(() => services.jobs.send('imports'));
}

/**
 * Makes the records of an import that is ready. A draft is read first. One that was stopped or has failed goes on where it was. One that is done reads its source again, and
 * makes what is new there.
 *
 * @throws NOT_FOUND; CONFLICT for an import that is being read or undone, or whose files are not complete; VALIDATION_ERROR if the key was deleted and none is given, or lacks a part
 */
export async function runImport(ctx: WriteCtx, { id, credentials }: RunImport): Promise<ImportRecord> {
  const row = await lock(ctx, Import, id);
  const kind = findKind(row.source)!;
  if (row.state === 'running') return importRecord(ctx, row);
  assertState(row, ['draft', 'ready', 'done', 'failed']);
  const newKey = kind.tool === null ? undefined : credentials;
  const isKept = row.sealed_input !== null || newKey !== undefined;
  const isReadAgain = row.state === 'done' && kind.tool !== null;
  const needsReading = isReadAgain || row.read_at === null;
  assertKey(kind.tool, credentials ?? null);
  if (kind.tool === null && needsReading) assertComplete(inputOf(ctx.services, row));
  if (needsReading && !isKept) throw invalid('credentials', IMPORT_REASONS.key_deleted, 'required');
  save(ctx, Import, row, {
    state: needsReading ? 'reading' : 'running',
    failure: null,
    failure_detail: null,
    resume_at: null,
    attempts: 0,
    ...(newKey !== undefined && { sealed_input: sealed(ctx, { credentials: newKey, files: [] }) }),
    ...(isReadAgain && { cursor: null, expected_count: null, read_count: 0, read_at: null, runs_when_read: true }),
    updated_at: ctx.now,
  });
  await beginWork(ctx, row);
  await sql`update data_import_row set outcome = null, reason = null, detail = null, done_at = null
      where import_id = ${id} and outcome = 'problem' and reason <> 'invalid'`.execute(ctx.db);
  goOn(ctx);
  return importRecord(ctx, row);
}

function assertComplete({ files }: ImportInput): void {
  if (files.length === 0) throw new DomainError('CONFLICT', IMPORT_REASONS.files_deleted);
  if (!files.every(({ is_complete }) => is_complete)) throw new DomainError('CONFLICT', IMPORT_REASONS.files_incomplete);
}

/**
 * Lets an import that is done read its source again, with the key that the shadow has kept, and make what is new there.
 *
 * @throws CONFLICT for an import that is at work, or whose key was deleted
 */
export async function readAgain(ctx: WriteCtx, id: string): Promise<void> {
  const row = await lock(ctx, Import, id);
  assertState(row, ['done']);
  if (row.sealed_input === null) throw new DomainError('CONFLICT', IMPORT_REASONS.key_deleted_of_import({ import: id }));
  await runImport(ctx, { id });
}

/** Stops an import that reads or makes records. It can be run again. Throws NOT_FOUND, CONFLICT. */
export async function stopImport(ctx: WriteCtx, { id }: ImportId): Promise<ImportRecord> {
  const row = await lock(ctx, Import, id);
  if (row.state === 'draft' || row.state === 'ready') return importRecord(ctx, row);
  assertState(row, ['reading', 'running']);
  save(ctx, Import, row, { state: row.state === 'reading' ? 'draft' : 'ready', resume_at: null, updated_at: ctx.now });
  return importRecord(ctx, row);
}

/**
 * Removes all records that an import made, in the background, except those that have earned or were used since: these stay with the reason `in_use`.
 *
 * @throws NOT_FOUND; CONFLICT for an import that has made nothing
 */
export async function undoImport(ctx: WriteCtx, { id }: ImportId): Promise<ImportRecord> {
  const row = await lock(ctx, Import, id);
  if (row.state === 'undoing' || row.state === 'undone') return importRecord(ctx, row);
  assertState(row, ['draft', 'ready', 'done', 'failed']);
  await discardFiles(ctx, row);
  save(ctx, Import, row, {
    state: 'undoing',
    failure: null,
    failure_detail: null,
    sealed_input: null,
    resume_at: null,
    updated_at: ctx.now,
  });
  await beginWork(ctx, row);
  goOn(ctx);
  return importRecord(ctx, row);
}

function assertState({ state }: Locked<Import>, allowed: readonly ImportState[]): void {
  if (!allowed.includes(state)) throw new DomainError('CONFLICT', IMPORT_REASONS.not_in_state({ state: STATES[state] }));
}
