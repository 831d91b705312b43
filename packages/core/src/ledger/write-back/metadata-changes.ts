/** The metadata that the service writes into the payment provider's records (docs/rules/sources.md#metadata-that-the-service-writes). */
import { ID_PREFIXES } from '../../platform/wire/ids.ts';

/** The keys of the metadata. Each value is the id of such a record. */
const KEYS = ['affiliate', 'campaign', 'commission'] as const;

/** Ids to write into the metadata of a record of the provider. Empty if nobody earns from the record. */
export type EarnedIds = Partial<Record<(typeof KEYS)[number], string>>;

/**
 * Returns the entries of metadata that have to be written so that `found` contains the ids. An empty value removes the entry. A value that is not
 * an id of this service belongs to the merchant and stays, e.g. `affiliate: 'false'`, which excludes payments.
 */
export function metadataChanges(wanted: EarnedIds, found: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    KEYS.flatMap((key) => {
      const current = found[key] ?? '';
      const isOwn = current === '' || current.startsWith(`${ID_PREFIXES[key]}_`);
      const value = wanted[key] ?? '';
      return isOwn && value !== current ? [[key, value]] : [];
    }),
  );
}
