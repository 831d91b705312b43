export const EXPORT_FORMATS = ['csv', 'walleta', 'walletb'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
