/**
 * The data that merchants attach to a record (docs/rules/platform.md#merchant-data): their own id for it, and pairs of their own. A record gets both by the
 * columns `merchantData` of `platform/db/columns.ts`, the fields below in its schemas, and one line in its migration.
 */
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Metadata } from '../db/columns.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { isPossibleId } from './ids.ts';
import { text } from './scalars.ts';

const MAX_PAIRS = 50;
const MAX_KEY = 40;
const MAX_VALUE = 500;

const key = () => z.string().min(1).max(MAX_KEY);
const value = () => z.string().max(MAX_VALUE);
const EXAMPLE = { tier: 'gold', crm_id: '4711' };

/** A merchant's own id for a record. */
export const externalId = () => text(255).meta({ example: 'partner-17' });

/** Prefix by which a path names a record by the merchant's own id instead of the id of this service. */
export const EXTERNAL = 'external:';

/** The path parameter of an operation that creates the record unless it exists. */
export const externalReference = () =>
  z
    .string()
    .max(EXTERNAL.length + 255)
    .regex(/^external:.*\S/)
    .describe('`external:` followed by your ID for the record.')
    .meta({ example: `${EXTERNAL}partner-17` });

/** Reports whether a text from a path may name a record: it is short enough to be an id or an `externalReference`. */
export function isPossibleReference(text: string): boolean {
  return isPossibleId(text) || (text.startsWith(EXTERNAL) && text.length <= EXTERNAL.length + 255);
}

/** Returns the merchant's own id in an `externalReference`. */
export function externalIdOf(reference: string): string {
  return reference.slice(EXTERNAL.length);
}

/** The fields in a record. */
export const merchantData = {
  external_id: z.string().nullable().describe('Your ID for the record.').meta({ example: 'partner-17' }),
  metadata: z
    .record(z.string(), z.string())
    .describe('Your own pairs of keys and values.')
    .meta({ id: 'Metadata', example: EXAMPLE }),
};

/** Reports whether there are few enough pairs. Pairs that a change removes do not count. */
function isSmall(pairs: Record<string, string | null>): boolean {
  return Object.values(pairs).filter((each) => each !== null).length <= MAX_PAIRS;
}

const TOO_MANY = PLATFORM_REASONS.too_many_pairs({ max: MAX_PAIRS });

/** The metadata of a new record, or changes of the metadata of a record. */
export const metadataInput = () =>
  z
    .record(key(), value().nullable())
    .refine(isSmall, TOO_MANY)
    .optional()
    .describe(
      `Your own pairs of keys and values, up to ${MAX_PAIRS}: keys have up to ${MAX_KEY} characters and values up to ${MAX_VALUE}. A change keeps other pairs; \`null\` removes a pair.`,
    )
    .meta({ example: EXAMPLE });

/** The input fields for creating or changing a record. */
export const merchantDataInput = {
  external_id: externalId().nullable().optional().describe('Your ID for the record, unique among records of this kind.'),
  metadata: metadataInput(),
};

/** Filters of a list. */
export const merchantDataFilters = {
  external_id: z.string().max(255).optional().describe('Filters by exact `external_id`.').meta({ example: 'partner-17' }),
  metadata: z
    .record(key(), value())
    .refine((pairs) => Object.keys(pairs).length > 0, PLATFORM_REASONS.no_pairs)
    .refine(isSmall, TOO_MANY)
    .optional()
    .describe('Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.')
    .meta({ example: { tier: 'gold' } }),
};

/** SQL conditions for `merchantDataFilters`. */
export function whatMerchantData(
  accountId: string,
  { external_id, metadata }: { external_id?: string | undefined; metadata?: Metadata | undefined },
): RawBuilder<boolean>[] {
  return [
    ...(external_id === undefined ? [] : [sql<boolean>`external_id = ${external_id}`]),
    ...(metadata === undefined ? [] : [hasMetadata(accountId, JSON.stringify(metadata))]),
  ];
}

/** The index finds the terms. They are hashes, so the pairs are compared as well. The middle condition lets PostgreSQL use the partial index. */
function hasMetadata(accountId: string, pairs: string): RawBuilder<boolean> {
  return sql<boolean>`metadata_terms(account_id, metadata) @> metadata_terms(${accountId}::text, ${pairs}::jsonb)
    and metadata <> '{}' and metadata @> ${pairs}::jsonb`;
}
