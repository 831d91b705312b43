import { randomUUID } from 'node:crypto';
import type { GeneratedAlways } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { lockRow } from '../../platform/call/locks.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { deleteParts, insertPart, partsOf } from '../../platform/files/file-parts.ts';
import { fileTypeOf } from '../../platform/files/file-type.ts';
import { takeUpload } from '../../platform/files/upload.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { MAX_ASSET_BYTES } from '../../platform/wire/limits.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { downloadUrl } from '../downloads/download-url.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { type AssetFile, AssetRecord, type CreateAsset, type ListAssets, type UploadAsset } from './asset.schema.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A file that a merchant gives to affiliates, e.g. a banner. */
    asset: {
      id: string;
      account_id: string;
      livemode: GeneratedAlways<boolean>;
      name: string;
      description: string | null;
      content_type: string;
      size_bytes: number;
      /** File in `file_part`. */
      file_id: string;
      created_at: Instant;
    };
  }
}

/**
 * Types of the files that a merchant can give to affiliates, with the allowed file extensions. All files are sent as downloads, so browsers
 * never display them.
 */
const ASSET_TYPES = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
  'video/mp4': ['mp4'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'text/plain': ['txt', 'md', 'csv'],
} as const satisfies Record<string, readonly string[]>;

/** True if a file's extension is allowed for its type. Otherwise a device could open the file with the wrong program. */
function isNameOf(type: string, name: string): boolean {
  const endings: readonly string[] = ASSET_TYPES[type as keyof typeof ASSET_TYPES] ?? [];
  return endings.includes(name.split('.').at(-1)!.toLowerCase());
}

/** Maximum number of files of an account. */
const MAX_ASSETS = 50;

export const ASSET_COLUMNS = fieldNames(AssetRecord);

/** Lists the account's files, newest first, without their contents. */
export function listAssets({ db, accountId }: Ctx, input: ListAssets): Promise<Page<AssetRecord>> {
  const all = db.selectFrom('asset').where('account_id', '=', accountId);
  // A file never changes after its creation.
  return paginate(all.where(allOf(whenUpdated('created_at', input))), input, {
    order: listOrder(input.sort, { table: 'asset' }),
    select: (found) => found.select(ASSET_COLUMNS),
  });
}

/** Returns a file and the address of its content. Throws NOT_FOUND. */
export async function getAsset({ db, accountId, services }: Ctx, { id }: { id: string }): Promise<AssetFile> {
  const found = await db
    .selectFrom('asset')
    .select(ASSET_COLUMNS)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return { ...foundOrThrow(found, 'asset'), download_url: downloadUrl(services, { kind: 'asset', accountId, id }) };
}

/** Stores a file for affiliates. Throws the errors of `storeAsset`, and VALIDATION_ERROR for a file that is too large. */
export async function createAsset(ctx: WriteCtx, { content, ...about }: CreateAsset): Promise<AssetRecord> {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > MAX_ASSET_BYTES) throw invalid('content', PORTAL_REASONS.file_too_large, 'too_big');
  const fileId = randomUUID();
  const asset = await storeAsset(ctx, about, { fileId, size: bytes.length, type: await fileTypeOf(bytes) });
  let position = 0;
  for await (const part of partsOf([bytes])) {
    await insertPart(ctx.db, { accountId: ctx.accountId, fileId, position }, part);
    position += 1;
  }
  return asset;
}

/** Makes the file in the body of the request a file for affiliates. Throws the errors of `takeUpload` and `storeAsset`. */
export async function uploadAsset(ctx: WriteCtx, about: UploadAsset): Promise<AssetRecord> {
  return storeAsset(ctx, about, await takeUpload(ctx));
}

/**
 * Creates the record of a file. Its type is detected from its bytes (docs/rules/portal.md#assets).
 *
 * @throws VALIDATION_ERROR for an empty file, a type that is not allowed, a name whose file extension does not fit the type, and too many files
 */
async function storeAsset(
  ctx: WriteCtx,
  { name, description }: UploadAsset,
  { fileId, size, type }: { fileId: string; size: number; type: string | null },
): Promise<AssetRecord> {
  if (size === 0) throw invalid('content', PORTAL_REASONS.file_empty, 'too_small');
  if (type === null || !Object.hasOwn(ASSET_TYPES, type))
    throw invalid('content', PORTAL_REASONS.file_type_not_allowed, 'unknown_type');
  if (!isNameOf(type, name)) throw invalid('name', PORTAL_REASONS.file_name_contradicts_content({ type }), 'mismatch');
  const { db, accountId } = ctx;
  // Makes concurrent creations wait for each other, so that together they cannot exceed the maximum.
  await lockRow(ctx, 'account', db.selectFrom('account').select('id').where('id', '=', accountId));
  const { count } = await db
    .selectFrom('asset')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_ASSETS) throw invalid('', PORTAL_REASONS.too_many_files({ max: MAX_ASSETS }), 'too_many');
  return db
    .insertInto('asset')
    .values({
      id: newId('asset', ctx.clock.now()),
      account_id: accountId,
      name,
      description: description ?? null,
      content_type: type,
      size_bytes: size,
      file_id: fileId,
      created_at: ctx.now,
    })
    .returning(ASSET_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Deletes a file and returns its record. Throws NOT_FOUND. */
export async function deleteAsset({ db, accountId }: WriteCtx, { id }: { id: string }): Promise<AssetRecord> {
  const deleted = await db
    .deleteFrom('asset')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning([...ASSET_COLUMNS, 'file_id'])
    .executeTakeFirst();
  if (!deleted) throw notFound('asset');
  const { file_id, ...asset } = deleted;
  await deleteParts(db, file_id);
  return asset;
}
