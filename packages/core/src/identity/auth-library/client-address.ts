/** Carries the address that the door determined to the library, instead of headers that a client could forge. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';
