/** Characters that must be escaped in the path, query and fragment of a URI (RFC 3986). */
const UNESCAPED = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu;
const IPV6_HOST = /^(https?:\/\/(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]/i;

/**
 * Escapes the characters in an address that are not allowed in a URI, e.g. spaces, brackets and non-ASCII letters. The escaped
 * address opens the same page in browsers. A valid URI is returned unchanged.
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
