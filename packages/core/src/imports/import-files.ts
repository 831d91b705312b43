/** The files of an import: they arrive in parts, and are deleted as soon as their lines are rows (docs/rules/imports.md#files). */
import { randomUUID } from 'node:crypto';
import type { WriteCtx } from '../platform/call/context.ts';
import { advisoryLock, type Locked } from '../platform/call/locks.ts';
import { lock, save } from '../platform/call/records.ts';
import { DomainError, invalid } from '../platform/errors/errors.ts';
import { appendBytes, deleteParts } from '../platform/files/file-parts.ts';
import { importRecord, inputOf } from './import.queries.ts';
import { type AddPart, type CreateImport, type ImportRecord, MAX_BYTES_OF_FILES } from './import.schema.ts';
import type { ImportedFile, ImportInput } from './port/import-kind.ts';
import { Import } from './port/import.entity.ts';
import { IMPORT_REASONS } from './reasons.ts';

/** Imports of an account whose files are not read yet. */
const MAX_UNREAD = 5;

/** Returns what an import reads, as it is stored. */
export function sealed({ services }: Pick<WriteCtx, 'services'>, input: ImportInput): string {
  return services.secrets.seal(JSON.stringify(input));
}

/** Stores the files of a new import. Throws VALIDATION_ERROR if they are too large, CONFLICT if too many files wait to be read. */
export async function storeFiles(
  ctx: WriteCtx,
  files: NonNullable<CreateImport['files']>,
  isDraft: boolean,
): Promise<ImportedFile[]> {
  await advisoryLock(ctx, 'data_import', 'files');
  const unread = await ctx.db
    .selectFrom('data_import')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('source', '=', 'csv')
    .where('sealed_input', 'is not', null)
    .where('state', 'in', ['draft', 'reading'])
    .limit(MAX_UNREAD)
    .execute();
  if (unread.length === MAX_UNREAD) throw new DomainError('CONFLICT', IMPORT_REASONS.too_many_drafts({ max: MAX_UNREAD }));
  const stored: ImportedFile[] = [];
  for (const { kind, content = '', columns = {}, date_order = null, decimal_mark = null } of files) {
    const file = { kind, columns, date_order, decimal_mark, file_id: randomUUID(), bytes: 0, is_complete: !isDraft };
    stored.push(await withMore(ctx, file, Buffer.from(content), stored));
  }
  return stored;
}

/**
 * Adds a part at the end of a file. A part that has arrived already changes nothing.
 *
 * @throws NOT_FOUND; CONFLICT for an import that is no draft, a file that is complete, and a part that does not follow; VALIDATION_ERROR for an unknown file
 *   and for too large files
 */
export async function addPart(ctx: WriteCtx, { id, file, offset, content, is_last = false }: AddPart): Promise<ImportRecord> {
  const row = await lock(ctx, Import, id);
  const input = inputOf(ctx.services, row);
  const given = input.files[file];
  if (given === undefined) throw invalid('file', IMPORT_REASONS.no_such_file, 'not_found');
  const bytes = Buffer.from(content);
  if (offset + bytes.length > given.bytes || (is_last && !given.is_complete)) {
    if (row.state !== 'draft' || given.is_complete || offset !== given.bytes)
      throw new DomainError('CONFLICT', IMPORT_REASONS.part_does_not_follow({ bytes: given.bytes }));
    const longer = { ...(await withMore(ctx, given, bytes, input.files)), is_complete: is_last };
    const files = input.files.map((each) => (each === given ? longer : each));
    save(ctx, Import, row, { sealed_input: sealed(ctx, { ...input, files }), updated_at: ctx.now });
  }
  return importRecord(ctx, row);
}

/** Returns a file to which bytes were added. `files` are the files of the import. */
async function withMore(ctx: WriteCtx, file: ImportedFile, more: Buffer, files: readonly ImportedFile[]): Promise<ImportedFile> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, more.length);
  if (total > MAX_BYTES_OF_FILES) throw invalid('content', IMPORT_REASONS.files_too_large, 'too_big');
  await appendBytes(ctx.db, { accountId: ctx.accountId, fileId: file.file_id, size: file.bytes }, more);
  return { ...file, bytes: file.bytes + more.length };
}

export async function discardFiles(ctx: WriteCtx, row: Locked<Import>): Promise<void> {
  const { files } = inputOf(ctx.services, row);
  for (const { file_id } of files) await deleteParts(ctx.db, file_id);
  if (files.length > 0) save(ctx, Import, row, { sealed_input: null });
}
