/** Returns an address as people type it with a scheme: `shop.example.com` becomes `https://shop.example.com`. */
export function webAddress(text: string): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(withoutPort(address)) ? address : `https://${address.replace(/^\/+/, '')}`;
}

/** Removes a port after a host, so that `localhost:3000` is not taken for an address with a scheme. */
function withoutPort(address: string): string {
  return address.replace(/^([\w.-]+):\d+(?=[/?#]|$)/, '$1');
}
