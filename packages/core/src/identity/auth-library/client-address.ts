/** Request header that passes the client's address to the library. The server sets it itself, because a client could forge the usual headers. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';
