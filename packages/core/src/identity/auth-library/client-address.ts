/** Carries the address that the door found out to the library, in place of headers that a client could invent. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';
