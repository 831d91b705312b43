import { p } from '@mikro-orm/core';
import { InstantType } from '../time/instant.ts';

/** Columns of every record of an account. Property, column and wire field share one name in snake_case. */
export const recordColumns = {
  id: p.string().primary(),
  account_id: p.string(),
  created_at: p.type(InstantType),
  updated_at: p.type(InstantType),
};

/** Pairs of a key and a value. */
export type Metadata = Record<string, string>;

/** What merchants attach to a record (`platform/wire/merchant-data.ts`). */
export const merchantData = {
  /** The merchant's own id for the record. */
  external_id: p.string().strictNullable(),
  metadata: p.json<Metadata>(),
};

export const instant = () => p.type(InstantType);
/** An amount in the currency's minor unit. */
export const cents = () => p.bigint('number');
