import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { deleteParts, wholeFile } from '../../platform/files/file-parts.ts';
import { fileTypeOf, takeUpload } from '../../platform/files/upload.ts';
import type { Letterhead } from '../../platform/mail/letter.ts';
import { MAX_LOGO_BYTES } from '../../platform/wire/limits.ts';
import { base64 } from '../../platform/wire/scalars.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { textColorOn } from './brand-color.ts';

/** Types of images that browsers show without running scripts in them. SVG is excluded because it can contain scripts. */
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** The logo of an account. Its hash is stored in `account`, because most readers need only the hash. */
    account_logo: {
      account_id: string;
      content_type: (typeof LOGO_TYPES)[number];
      content: Buffer;
    };
  }
}

/** The colors, logo and support address that affiliates see instead of the service's own. */
export const Brand = z
  .object({
    color: z.string().nullable().describe('Background color of buttons, e.g. `#1c4ed8`; null if the service’s color is used.'),
    text_color: z
      .string()
      .nullable()
      .describe('Color of text on `color`: black or white, whichever has the higher contrast. Null without `color`.'),
    logo_path: z.string().nullable().describe('Path of the logo on the service’s host; null without a logo.'),
    support_email: z.string().nullable(),
  })
  .meta({ id: 'Brand', description: 'Appearance of an account to its affiliates.' });
export type Brand = z.infer<typeof Brand>;

/** A PNG of one pixel. */
const EXAMPLE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

export const SetLogo = z.strictObject({
  content: base64(MAX_LOGO_BYTES, IDENTITY_REASONS.logo_too_large)
    .describe('A PNG, JPEG or WebP of at most 512 KiB, in base64.')
    .meta({ example: EXAMPLE }),
});
export type SetLogo = z.infer<typeof SetLogo>;

export const UploadLogo = z.strictObject({});

export const RemoveLogo = z.strictObject({}).optional();

/** The columns of `account` from which its brand is made. */
export interface BrandColumns {
  account_id: string;
  brand_color: string | null;
  logo_hash: string | null;
  support_email: string | null;
}

/** SQL expression: the name under which affiliates know an account. Needs the table `account`. */
export const BRAND_NAME: RawBuilder<string> = sql`coalesce(account.brand_name, account.name)`;

export function brandOf({ account_id, brand_color, logo_hash, support_email }: BrandColumns): Brand {
  return {
    color: brand_color,
    text_color: brand_color === null ? null : textColorOn(brand_color),
    logo_path: logo_hash === null ? null : `/logos/${account_id}/${logo_hash}`,
    support_email,
  };
}

/** Letterhead of emails to an account's affiliates, with the base address of the links in these emails. */
export interface PortalLetterhead extends Letterhead {
  /** Base address of the pages for affiliates, without a trailing slash. */
  portalUrl: string;
}

/** The columns of `account` from which its letterhead is made. */
interface LetterheadColumns extends BrandColumns {
  name: string;
  portal_host: string | null;
}

/**
 * Builds the letterhead of an account's emails, using the account's brand. The logo's URL points to the service instead of the merchant's own host,
 * so that old emails still show the logo after the host has changed.
 */
export function letterheadOf(publicUrl: string, { name, portal_host, ...columns }: LetterheadColumns): PortalLetterhead {
  const { color, text_color, logo_path, support_email } = brandOf(columns);
  return {
    name,
    logoUrl: logo_path && `${publicUrl}${logo_path}`,
    colors: color === null || text_color === null ? null : { background: color, text: text_color },
    supportEmail: support_email,
    portalUrl: portalUrlOf(publicUrl, portal_host),
  };
}

/** Loads the letterhead of emails to the affiliates of an account. */
export async function loadLetterhead(db: Db, publicUrl: string, accountId: string): Promise<PortalLetterhead> {
  const account = db.selectFrom('account').select(LETTERHEAD).where('id', '=', accountId);
  return letterheadOf(publicUrl, await account.executeTakeFirstOrThrow());
}

/** Sets the logo of the account. Throws VALIDATION_ERROR unless `content` is a PNG, JPEG or WebP image (docs/rules/identity.md#branding). */
export async function setLogo(ctx: WriteCtx, { content }: SetLogo): Promise<void> {
  const bytes = Buffer.from(content, 'base64');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await storeLogo(ctx, { content: bytes, type: await fileTypeOf(bytes), sha256 });
}

/** Makes the file in the body of the request the logo of the account. Throws the errors of `takeUpload` and `setLogo`. */
export async function uploadLogo(ctx: WriteCtx): Promise<void> {
  const { fileId, type, sha256 } = await takeUpload(ctx);
  await storeLogo(ctx, { content: wholeFile(fileId), type, sha256 });
  await deleteParts(ctx.db, fileId);
}

async function storeLogo(
  { db, accountId, now }: WriteCtx,
  { content, type: found, sha256 }: { content: Buffer | RawBuilder<Buffer>; type: string | null; sha256: string },
): Promise<void> {
  const type = LOGO_TYPES.find((known) => known === found);
  if (type === undefined) throw invalid('content', IDENTITY_REASONS.unknown_image_type, 'unknown_type');
  const logo = { content_type: type, content };
  await db
    .insertInto('account_logo')
    .values({ account_id: accountId, ...logo })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(logo))
    .execute();
  await db
    .updateTable('account')
    .set({ logo_hash: sha256.slice(0, 32), updated_at: now })
    .where('id', '=', accountId)
    .execute();
}

export async function removeLogo({ db, accountId, now }: WriteCtx): Promise<void> {
  await db.deleteFrom('account_logo').where('account_id', '=', accountId).execute();
  await db.updateTable('account').set({ logo_hash: null, updated_at: now }).where('id', '=', accountId).execute();
}

/**
 * Finds the logo of an account, without a permission check, because emails and sign-up pages show it. `is_present` is true if `hash` is the hash
 * of the current logo. Returns null if there is no logo.
 */
export async function findLogo(
  { database }: Services,
  accountId: string,
  hash: string,
): Promise<{ content_type: string; content: Buffer; is_present: boolean } | null> {
  const logo = await database.kysely
    .selectFrom('account_logo')
    .innerJoin('account', 'account.id', 'account_logo.account_id')
    .select(['content_type', 'content', 'logo_hash'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return logo ? { content_type: logo.content_type, content: logo.content, is_present: logo.logo_hash === hash } : null;
}

/** SQL expression: the verified host name of an account's portal, or null if there is none. Needs the table `account`. */
export const PORTAL_HOST: RawBuilder<string | null> = sql`(
  select portal_host.host from portal_host where portal_host.account_id = account.id and portal_host.verified_at is not null)`;

/** The columns that a query of the table `account` selects for `letterheadOf`. */
export const LETTERHEAD = [
  'account.id as account_id',
  BRAND_NAME.as('name'),
  'account.brand_color',
  'account.logo_hash',
  'account.support_email',
  PORTAL_HOST.as('portal_host'),
] as const;

/** Returns the base address of the pages for affiliates, without a trailing slash: the service's own address, with `host` as host name if given. */
export function portalUrlOf(publicUrl: string, host: string | null): string {
  if (host === null) return publicUrl;
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Finds the base address of an account's pages for affiliates. The host name comes from the database, never from a request, which could forge it. */
export async function findPortalUrl(db: Db, publicUrl: string, accountId: string): Promise<string> {
  const account = await db.selectFrom('account').select(PORTAL_HOST.as('host')).where('id', '=', accountId).executeTakeFirst();
  return portalUrlOf(publicUrl, account?.host ?? null);
}
