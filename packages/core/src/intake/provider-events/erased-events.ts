import type { Ctx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import { isOfErased } from '../../program/erasures/erased-identities.ts';
import { withoutPerson } from '../../program/erasures/personal-data.ts';
import type { Source, SourceEvent } from '../../sources/port/port.ts';
import { payerId } from '../sales/facts-of-payment.ts';

/**
 * Returns an event without personal data if it is about an erased customer (docs/rules/privacy.md#events-about-erased-customers), whether it is stored, is
 * delivered again, or is read from the provider. Any other event is returned unchanged.
 */
export async function withoutErased(
  ctx: Pick<Ctx, 'db' | 'accountId'>,
  { id: connectionId, source }: { id: string; source: Source },
  event: SourceEvent,
): Promise<SourceEvent> {
  const { payer } = event;
  if (payer === null) return event;
  const { id, externalId, email, formerEmail } = payer;
  const named = identitiesOf({
    email,
    formerEmail,
    ...payerId({ source: source.kind, connectionId }, id),
    external_customer_id: externalId,
  });
  if (!(await isOfErased(ctx, named, toInstant(event.occurredAt)))) return event;
  const addresses = [email, formerEmail].filter((address) => address !== null).map((address) => address.toLowerCase());
  const sought = { addresses, ids: id === null ? [] : [id], ownIds: externalId === null ? [] : [externalId] };
  const payload = withoutPerson(event.payload, sought, true) as SourceEvent['payload'];
  return { ...source.withoutPayer(event), payer: { ...payer, email: null, formerEmail: null }, payload };
}
