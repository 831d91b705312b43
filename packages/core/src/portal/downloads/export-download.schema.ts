import { z } from 'zod';

export const PayoutExportDownload = z.object({
  filename: z.string(),
  download_url: z.url().describe('Address of the file. It needs no credentials, accepts ranges, and works for ten minutes.'),
});
export type PayoutExportDownload = z.infer<typeof PayoutExportDownload>;
