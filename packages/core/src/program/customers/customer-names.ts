/** SQL conditions that find rows of `customer` by an email address or a provider id. Each condition uses an index of its own. */
import { type RawBuilder, sql } from 'kysely';
import { sameText } from '../../platform/db/conditions.ts';

type Condition = RawBuilder<boolean>;

export function hasEmail(email: string): Condition[] {
  return [sameText('email', email), sql`other_emails <> '[]' and other_emails @> jsonb_build_array(lower(${email}::text))`];
}

export function hasPspCustomerId(id: string): Condition[] {
  return [
    sql`psp_customer_id = ${id}`,
    sql`other_psp_customer_ids <> '[]' and other_psp_customer_ids @> jsonb_build_array(${id}::text)`,
  ];
}
