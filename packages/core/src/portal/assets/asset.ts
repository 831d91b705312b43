import { randomUUID } from 'node:crypto';
import type { GeneratedAlways } from 'kysely';
import { z } from 'zod';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { lockRow } from '../../platform/call/locks.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { deleteParts, insertPart, partsOf } from '../../platform/files/file-parts.ts';
import { fileTypeOf, takeUpload } from '../../platform/files/upload.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf, updatedRange, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { MAX_ASSET_BYTES } from '../../platform/wire/limits.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { base64, id, instant, livemode, text } from '../../platform/wire/scalars.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { downloadUrl } from '../downloads/download-url.ts';
import { PORTAL_REASONS } from '../reasons.ts';

/** Maximum size of a request body that creates a file. It holds the file in base64, and its description. */
export const MAX_ASSET_BODY_BYTES = Math.ceil(MAX_ASSET_BYTES / 3) * 4 + 64 * 1024;

export const AssetRecord = z
  .object({
    id: id('asset'),
    livemode: livemode(),
    name: z.string().describe('Name of the file.'),
    description: z.string().nullable(),
    content_type: z.string().describe('Type of the file, detected from its bytes.').meta({ example: 'image/png' }),
    size_bytes: z.int(),
    created_at: instant(),
  })
  .meta({ id: 'Asset', description: 'A file that affiliates can download in their portal, e.g. a banner.' });
export type AssetRecord = z.infer<typeof AssetRecord>;

export const AssetFile = AssetRecord.extend({
  download_url: z
    .url()
    .describe('Address of the file. It needs no credentials, accepts ranges, and works for ten minutes.')
    .meta({ example: 'https://affiliates.example.com/files/v1.9Q2c' }),
}).meta({
  id: 'AssetFile',
  description: 'An asset with the address of its content.',
});
export type AssetFile = z.infer<typeof AssetFile>;

export const ListAssets = z.strictObject({ ...pageInput, ...sortBy(), ...updatedRange });
export type ListAssets = z.infer<typeof ListAssets>;
export const AssetPage = paginated(AssetRecord);
export const AssetId = z.strictObject({ id: id('asset') });

/** Not in the contract as a pattern, because not every language knows the classes of Unicode. */
const FILE_NAME = /^[^\p{Cc}\p{Cf}\\/:*?"<>|]*[^\p{Cc}\p{Cf}\\/:*?"<>|.\s]\.[a-z0-9]{2,4}$/iu;

export const UploadAsset = z.strictObject({
  name: z
    .string()
    .max(100)
    .refine((name) => FILE_NAME.test(name), PORTAL_REASONS.file_name_form)
    .describe('Name of the file. Its extension must match the content: png, jpg, webp, gif, svg, mp4, pdf, zip, txt, md or csv.')
    .meta({ example: 'banner.txt' }),
  description: text(500).optional().describe('Use of the file, for affiliates.'),
});
export type UploadAsset = z.infer<typeof UploadAsset>;

export const CreateAsset = UploadAsset.extend({
  content: base64(MAX_ASSET_BYTES, PORTAL_REASONS.file_too_large)
    .describe('The file in base64, at most 5 MiB.')
    .meta({ example: 'V2UgbG92ZSB0ZWEu' }),
});
export type CreateAsset = z.infer<typeof CreateAsset>;

export const ListPortalAssets = z.strictObject({}).optional();
export const PortalAssets = z.object({ data: z.array(AssetRecord).describe('Newest first.') });
export type PortalAssets = z.infer<typeof PortalAssets>;

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

const ASSET_COLUMNS = fieldNames(AssetRecord);

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

/** Lists the files of the program, newest first. */
export async function listOwnAssets({ mine }: AffiliateCtx): Promise<PortalAssets> {
  return { data: await mine('asset').selectFrom('asset').select(ASSET_COLUMNS).orderBy('id', 'desc').execute() };
}

/** Returns a file of the program and the address of its content. Throws NOT_FOUND when the file does not exist or belongs to another account. */
export async function getOwnAsset({ mine, fileUrl }: AffiliateCtx, { id }: { id: string }): Promise<AssetFile> {
  const found = await mine('asset').selectFrom('asset').select(ASSET_COLUMNS).where('id', '=', id).executeTakeFirst();
  return { ...foundOrThrow(found, 'asset'), download_url: fileUrl({ kind: 'asset', id }) };
}
