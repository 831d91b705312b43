/** Address to which the SDK sends its requests. */
export interface ApiBase {
  protocol: 'http' | 'https';
  host: string;
  port: number;
}

/** Parses an address such as `http://127.0.0.1:12111`. Throws with a one-line message when the SDK cannot use it. */
export function parseApiBase(address: string): ApiBase {
  const url = URL.canParse(address) ? new URL(address) : null;
  const protocol = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null;
  if (!url || !protocol) throw new Error('must be an http:// or https:// address');
  // The SDK builds every path itself, so a prefix or credentials would be dropped silently.
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new Error('must be a bare address: scheme, host and port');
  }
  return {
    protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port ? Number(url.port) : protocol === 'https' ? 443 : 80,
  };
}
