/** What may stand neither in the path nor in the query or fragment of a URI (RFC 3986) unless it is escaped. */
const UNESCAPED = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu;
const IPV6_HOST = /^(https?:\/\/(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]/i;

/**
 * An address as a URI: browsers also take spaces, brackets and letters of any script, and lead to the same page. What is a URI
 * already stays as it is.
 *
 * @param address an http or https address that `URL` can parse
 */
export function asUri(address: string): string {
  if (address.replace(IPV6_HOST, '$1').replace('#', '').search(UNESCAPED) === -1) return address;
  const { protocol, username, password, host, pathname, search, hash } = new URL(address);
  const credentials = username ? `${escape(username)}${password ? `:${escape(password)}` : ''}@` : '';
  const fragment = hash ? `#${escape(hash.slice(1))}` : '';
  return `${protocol}//${credentials}${host}${escape(pathname)}${escape(search)}${fragment}`;
}

function escape(text: string): string {
  return text.replaceAll(UNESCAPED, encodeURIComponent);
}
