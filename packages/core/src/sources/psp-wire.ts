/** What the wire calls `psp` is Stripe: the account's oldest connection to it. */
import type { Services } from '../platform/call/context.ts';
import type { Source } from './port/port.ts';
import { STRIPE } from './stripe/values/kind.ts';

export { findPspConnection } from './stripe/settings/find-psp-connection.ts';
export { getEndpointStatus } from './stripe/settings/endpoint-status.ts';
export { NAMING_LINES } from './stripe/values/naming-lines.ts';
export * from './stripe/settings/psp-connection.schema.ts';
export * from './stripe/settings/psp-connection.service.ts';

/** True for the kind of source whose ids the wire shows in the fields `psp_*`. */
export function isPsp(source: string): boolean {
  return source === STRIPE;
}

export function pspSource({ sources }: Pick<Services, 'sources'>): Source {
  return sources.get(STRIPE)!;
}
