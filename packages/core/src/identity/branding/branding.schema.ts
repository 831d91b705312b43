import { z } from 'zod';
import { MAX_LOGO_BYTES } from '../../platform/wire/limits.ts';
import { base64 } from '../../platform/wire/scalars.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

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
