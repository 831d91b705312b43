import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { MAX_ASSET_BYTES } from '../../platform/wire/limits.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { base64, id, instant, livemode, text } from '../../platform/wire/scalars.ts';
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
