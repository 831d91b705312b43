import type { Ctx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { Identity } from '../../program/customer-identities/customer-identity.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import { areOfErased } from '../../program/erasures/erased-identities.ts';
import { withoutPerson } from '../../program/erasures/personal-data.ts';
import type { Source, SourceEvent } from '../../sources/port/port.ts';
import { payerId } from '../sales/facts-of-payment.ts';

export function identitiesIn({ id: connectionId, source }: { id: string; source: Source }, { payer }: SourceEvent): Identity[] {
  const { id = null, externalId, email, formerEmail } = payer ?? {};
  const ids = { ...payerId({ source: source.kind, connectionId }, id), external_customer_id: externalId };
  return identitiesOf({ email, formerEmail, ...ids });
}

/**
 * Returns events, without personal data if they are about an erased customer (docs/rules/privacy.md#events-about-erased-customers), whether they are
 * stored, are delivered again, or are read from the provider.
 */
export async function withoutErased(
  ctx: Pick<Ctx, 'db' | 'accountId'>,
  connection: { id: string; source: Source },
  events: readonly SourceEvent[],
): Promise<SourceEvent[]> {
  const facts = events.map((event) => ({
    identities: identitiesIn(connection, event),
    at: toInstant(event.occurredAt),
  }));
  const erased = await areOfErased(ctx, facts);
  return events.map((event, place) => (erased[place] ? withoutPayer(connection.source, event) : event));
}

function withoutPayer(source: Source, event: SourceEvent): SourceEvent {
  const { id, externalId, email, formerEmail } = event.payer!;
  const addresses = [email, formerEmail].filter((address) => address !== null).map((address) => address.toLowerCase());
  const sought = { addresses, ids: id === null ? [] : [id], ownIds: externalId === null ? [] : [externalId] };
  const payload = withoutPerson(event.payload, sought, true) as SourceEvent['payload'];
  return { ...source.withoutPayer(event), payer: { ...event.payer!, email: null, formerEmail: null }, payload };
}
