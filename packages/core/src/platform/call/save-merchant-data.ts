import type { Entity, Row } from '../db/columns.ts';
import type { Metadata } from '../db/columns.ts';
import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { WriteCtx } from './context.ts';
import type { Locked } from './locks.ts';
import { save } from './records.ts';

const MAX_PAIRS = 50;

interface MerchantData {
  external_id: string | null;
  metadata: Metadata;
}

/** Changes of what a merchant attached to a record. */
export interface MerchantDataChanges {
  external_id?: string | null | undefined;
  /** Pairs to add or replace, with null for those to remove. */
  metadata?: Readonly<Record<string, string | null>> | undefined;
}

/** Returns the columns of a new record. */
export function newMerchantColumns({ external_id = null, metadata = {} }: MerchantDataChanges): MerchantData {
  return { external_id, metadata: merged({}, metadata) };
}

/** Returns the changed columns of a record. Throws VALIDATION_ERROR if it would have too many pairs. */
export function changesOfMerchantData(
  { metadata: former }: Pick<MerchantData, 'metadata'>,
  { external_id, metadata }: MerchantDataChanges,
): Partial<MerchantData> {
  return {
    ...(external_id !== undefined && { external_id }),
    ...(metadata !== undefined && { metadata: merged(former, metadata) }),
  };
}

/** Returns the pairs of two records that become one. If both have a key, or there are too many pairs, those of the first record stay. */
export function combinedMetadata(first: Metadata, second: Metadata): Metadata {
  const pairs = Object.entries({ ...first, ...second, ...first });
  return Object.fromEntries(pairs.slice(0, MAX_PAIRS));
}

function merged(former: Metadata, changes: Readonly<Record<string, string | null>>): Metadata {
  const pairs = new Map(Object.entries(former));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) pairs.delete(key);
    else pairs.set(key, value);
  }
  if (pairs.size > MAX_PAIRS) throw invalid('metadata', PLATFORM_REASONS.too_many_pairs_in_record({ max: MAX_PAIRS }), 'too_big');
  return Object.fromEntries(pairs);
}

/** Writes the changes to a record. Other changes of the record are made by its transitions, so that none may be among these, where it would be lost. */
export function saveMerchantData<Of extends Entity, Changes extends MerchantDataChanges>(
  ctx: WriteCtx,
  entity: Of,
  row: Locked<Row<Of>> & Pick<MerchantData, 'metadata'>,
  changes: Changes & { [Other in Exclude<keyof Changes, keyof MerchantDataChanges>]: never },
): void {
  const columns = changesOfMerchantData(row, changes);
  if (Object.keys(columns).length > 0) save(ctx, entity, row, { ...columns, updated_at: ctx.now } as Partial<Row<Of>>);
}
