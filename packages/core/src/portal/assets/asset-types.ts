/** The types of files that affiliates can be given, with the endings of their names. All are sent as downloads, never shown. */
export const ASSET_TYPES = {
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

/** Reports whether the name of a file ends as files of its type do, so that a device opens it as what it is. */
export function isNameOf(type: string, name: string): boolean {
  const endings: readonly string[] = ASSET_TYPES[type as keyof typeof ASSET_TYPES] ?? [];
  return endings.includes(name.split('.').at(-1)!.toLowerCase());
}
