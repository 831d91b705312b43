/** What the wire calls `psp` is Stripe: the account's oldest connection to it. */
export { findPspConnection } from './stripe/settings/find-psp-connection.ts';
export { getEndpointStatus } from './stripe/settings/endpoint-status.ts';
export * from './stripe/settings/psp-connection.schema.ts';
export * from './stripe/settings/psp-connection.service.ts';
