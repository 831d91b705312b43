/**
 * Types of the files that a merchant can give to affiliates, with the allowed file extensions. All files are sent as downloads, so browsers
 * never display them.
 */
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

/** True if a file's extension is allowed for its type. Otherwise a device could open the file with the wrong program. */
export function isNameOf(type: string, name: string): boolean {
  const endings: readonly string[] = ASSET_TYPES[type as keyof typeof ASSET_TYPES] ?? [];
  return endings.includes(name.split('.').at(-1)!.toLowerCase());
}
