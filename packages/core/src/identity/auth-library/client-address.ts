/** Request header that passes the client's address to the library. The server sets it itself, because a client could forge the usual headers. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';

/** Header that passes the network of the person who requested a password reset, by the name of its turn, to the email. */
export const NETWORK_HEADER = 'x-affiliate-network';
