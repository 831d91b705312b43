import type { Ctx } from '../../platform/call/context.ts';
import type { CustomerRecord } from './customer.schema.ts';
import { oneOf } from '../../platform/db/one-of.ts';

/** Finds customers by id, for expansions. */
export async function findCustomers({ db }: Ctx, ids: string[]): Promise<Map<string, CustomerRecord>> {
  const rows = await db.selectFrom('customer').selectAll().where(oneOf('id', ids)).execute();
  return new Map(rows.map(({ account_id: _, ...customer }) => [customer.id, customer]));
}
