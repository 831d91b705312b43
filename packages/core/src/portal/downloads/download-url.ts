import { z } from 'zod';
import { EXPORT_FORMATS } from '../../payouts/exports/export-formats.schema.ts';
import { getExportFileName } from '../../payouts/exports/payout-export.queries.ts';
import type { GetPayoutExport } from '../../payouts/exports/payout-export.schema.ts';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

const PURPOSE = 'download';
const VALID_MS = 600_000;

/** A file of an account that can be downloaded. */
const FileName = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asset'), accountId: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('statement'),
    accountId: z.string(),
    affiliateId: z.string(),
    id: z.string(),
    format: z.enum(['csv', 'pdf']),
    language: z.enum(LANGUAGES),
  }),
  z.object({
    kind: z.literal('payout_export'),
    accountId: z.string(),
    id: z.string(),
    format: z.enum(EXPORT_FORMATS),
  }),
]);
export type FileName = z.infer<typeof FileName>;

const Sealed = z.object({ purpose: z.literal(PURPOSE), until: z.string(), file: FileName });

/**
 * Returns the address of a file's content. It needs no credentials, so that a browser can download the file by itself, and is valid for ten minutes. The path
 * is sealed, so that nobody can make an address of another file.
 */
export function downloadUrl({ publicUrl, secrets, clock }: Services, file: FileName): string {
  const until = plusMilliseconds(toInstant(clock.now()), VALID_MS);
  const sealed = { purpose: PURPOSE, until, file } satisfies z.infer<typeof Sealed>;
  return `${publicUrl}/files/${secrets.seal(JSON.stringify(sealed))}`;
}

/** Returns the file of an address. Returns null if the address is not valid, or no longer. */
export function fileOf({ secrets, clock }: Services, sealed: string): FileName | null {
  try {
    const { until, file } = Sealed.parse(JSON.parse(secrets.open(sealed)));
    return until > toInstant(clock.now()) ? file : null;
  } catch {
    return null;
  }
}

export const PayoutExportDownload = z.object({
  filename: z.string(),
  download_url: z.url().describe('Address of the file. It needs no credentials, accepts ranges, and works for ten minutes.'),
});
export type PayoutExportDownload = z.infer<typeof PayoutExportDownload>;

/** Returns the name of an export's file and the address of its content. Throws the errors of `getPayoutExport`. */
export async function getExportDownload(ctx: Ctx, input: GetPayoutExport): Promise<PayoutExportDownload> {
  const { filename, format } = await getExportFileName(ctx, input);
  const file = { kind: 'payout_export', accountId: ctx.accountId, id: input.id, format } as const;
  return { filename, download_url: downloadUrl(ctx.services, file) };
}
