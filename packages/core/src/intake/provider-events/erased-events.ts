import type { Ctx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import { isOfErased } from '../../program/erasures/erased-identities.ts';
import { withoutPerson } from '../../program/erasures/personal-data.ts';
import type { ProviderCustomer, ProviderEvent } from '../../sources/port/provider-event.ts';

/**
 * Returns an event without personal data if it is about an erased customer (docs/rules/privacy.md#events-about-erased-customers), whether it is stored, is
 * delivered again, or is read from the provider. Any other event is returned unchanged.
 */
export async function withoutErased(ctx: Pick<Ctx, 'db' | 'accountId'>, event: ProviderEvent): Promise<ProviderEvent> {
  const { fact } = event;
  const customer: ProviderCustomer | null = 'customer' in fact ? fact.customer : null;
  if (customer === null) return event;
  const formerEmail = 'formerEmail' in fact ? fact.formerEmail : null;
  const { customerId, externalId, email } = customer;
  const named = identitiesOf({ email, formerEmail, psp_customer_id: customerId, external_customer_id: externalId });
  if (!(await isOfErased(ctx, named, toInstant(event.occurredAt)))) return event;
  const addresses = [email, formerEmail].filter((address) => address !== null).map((address) => address.toLowerCase());
  const sought = { addresses, ids: customerId === null ? [] : [customerId], ownIds: externalId === null ? [] : [externalId] };
  return {
    ...event,
    fact: {
      ...fact,
      customer: { ...customer, email: null, name: null },
      ...('formerEmail' in fact && { formerEmail: null }),
    } as ProviderEvent['fact'],
    payload: withoutPerson(event.payload, sought, true) as ProviderEvent['payload'],
  };
}
