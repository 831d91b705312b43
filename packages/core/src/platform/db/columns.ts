import { p } from '@mikro-orm/core';
import { InstantType } from '../time/instant.ts';

/** Columns that every record of an account has. Properties, columns and wire fields share one name: snake_case. */
export const recordColumns = {
  id: p.string().primary(),
  account_id: p.string(),
  created_at: p.type(InstantType),
  updated_at: p.type(InstantType),
};

export const instant = () => p.type(InstantType);
/** An amount in the currency's minor unit. */
export const cents = () => p.bigint('number');
