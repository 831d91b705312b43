import type { Instant } from '../../platform/time/instant.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Payer } from '../../sources/port/seen.ts';

/** Returns the details of a payer whom a source told with a fact about a time. */
export function customerOfPayer({ ids, externalId, email, name }: Payer, at: Instant): KnownCustomer {
  return { source: 'provider', shown_at: at, psp_customer_id: ids[0] ?? null, external_customer_id: externalId, email, name };
}
