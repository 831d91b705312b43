import { z } from 'zod';
import type { SourceRecord } from './import-kind.ts';
import type { ImportedKind } from './import.entity.ts';

/**
 * Returns the records in an element of a list. An element of another form becomes a record that no check accepts, so that it holds up nothing.
 *
 * @param read throws ZodError for an element of another form
 */
export function readElement(
  kind: ImportedKind,
  element: Record<string, unknown>,
  read: (element: Record<string, unknown>) => SourceRecord[],
): SourceRecord[] {
  try {
    return read(element);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const id = element['id'] ?? element['key'];
    const known = typeof id === 'string' || typeof id === 'number';
    return [{ kind, id: known ? String(id) : JSON.stringify(element).slice(0, 200), data: element }];
  }
}

/** Returns the key and what belongs to it (`Tool.secondPart`), empty if one is missing or cannot be sent in a header. */
export function partsOfKey(credentials: string | null): [key: string, id: string] {
  const [, key = '', owner = ''] = /^\s*([!-~]+)\s*:\s*([!-9;-~]+)\s*$/.exec(credentials ?? '') ?? [];
  return [key, owner];
}

/** Returns the fields of a customer whom a tool names by one id: that of the payment provider, or the merchant's own. */
export function customerIds(id: string | null | undefined): {
  psp_customer_id: string | null;
  external_customer_id: string | null;
} {
  const isOfProvider = id?.startsWith('cus_') ?? false;
  return { psp_customer_id: isOfProvider ? id! : null, external_customer_id: isOfProvider ? null : id || null };
}

/** Returns an address as a URL. Tools also store hosts. */
export function withScheme(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

/** Returns an address without a parameter of its query. A text that is not an address stays. */
export function withoutParameter(text: string, name: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.searchParams.delete(name);
  return url.href;
}
