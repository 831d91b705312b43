import { getExportFileName } from '../../payouts/exports/payout-export.queries.ts';
import type { GetPayoutExport } from '../../payouts/exports/payout-export.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { downloadUrl } from './download-url.ts';
import type { PayoutExportDownload } from './export-download.schema.ts';

/** Returns the name of an export's file and the address of its content. Throws the errors of `getPayoutExport`. */
export async function getExportDownload(ctx: Ctx, input: GetPayoutExport): Promise<PayoutExportDownload> {
  const { filename, format } = await getExportFileName(ctx, input);
  const file = { kind: 'payout_export', accountId: ctx.accountId, id: input.id, format } as const;
  return { filename, download_url: downloadUrl(ctx.services, file) };
}
