import { randomBytes, randomInt } from 'node:crypto';
import { and, arrayOverlaps, eq, isNull } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { event, type schema, webhookDelivery, webhookEndpoint } from './schema.ts';

type Tx = Pick<NodePgDatabase<typeof schema>, 'insert' | 'select'>;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a new id: a prefix and a ULID. */
export function newId(prefix: string): string {
  let time = '';
  for (let rest = Date.now(); time.length < 10; rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  const noise = Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}_${time}${noise}`;
}

/** Writes an event of each type, and its deliveries to the subscribed endpoints. */
export async function emit(
  tx: Tx,
  account_id: string,
  types: string[],
  data: { id: string } & Record<string, unknown>,
): Promise<void> {
  const occurred_at = new Date();
  for (const type of types) {
    const id = newId('evt');
    const body = JSON.stringify({ id, type, occurred_at, data });
    await tx
      .insert(event)
      .values({ id, account_id, sequence: randomInt(2 ** 48 - 1), type, subject_id: data.id, body, occurred_at });
    const endpoints = await tx
      .select({ id: webhookEndpoint.id })
      .from(webhookEndpoint)
      .where(
        and(
          eq(webhookEndpoint.account_id, account_id),
          eq(webhookEndpoint.active, true),
          isNull(webhookEndpoint.deleted_at),
          arrayOverlaps(webhookEndpoint.event_types, [type, `${type.split('.')[0]}.*`, '*']),
        ),
      );
    if (endpoints.length === 0) continue;
    await tx.insert(webhookDelivery).values(
      endpoints.map((endpoint) => ({
        id: newId('dlv'),
        account_id,
        endpoint_id: endpoint.id,
        event_id: id,
        next_attempt_at: occurred_at,
        created_at: occurred_at,
      })),
    );
  }
}
