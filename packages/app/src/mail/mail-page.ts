import { isIPv4 } from 'node:net';
import { type Mail, escapeHtml } from '@affiliate/core';
import type { RestOptions } from '@affiliate/rest';
import { type Configuration, publicUrl } from '../configuration.ts';

type Handler = ReturnType<NonNullable<RestOptions['doors']>[string]>;

/** Names of headers that proxies add. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** True if an address or host name can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/, '');
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(address) && address.startsWith('127.'));
}

/** True if the service is only for people on this machine: its listening address and its public URL are loopback addresses, and there is no proxy. */
export function isForThisMachine(
  configuration: Pick<Configuration, 'HOST' | 'PORT' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>,
): boolean {
  const { HOST, TRUSTED_PROXIES } = configuration;
  return isLoopback(HOST) && isLoopback(new URL(publicUrl(configuration)).hostname) && TRUSTED_PROXIES === 0;
}

/**
 * Serves `/mail` for development: the messages that were not sent because no mail server is configured. Their links sign people in, so only this
 * machine may read them. The request must come from a loopback address and name a loopback host, so that pages of other sites cannot read the
 * messages by DNS rebinding. The request must not have a header that proxies add. Some proxies add no header, so the caller must mount the page only
 * if there is no proxy.
 */
export function mailPage(recent: readonly Mail[]): Handler {
  return (request, response, next) => {
    const isForwarded = Object.keys(request.headers).some((name) => FORWARDED.test(name));
    const isLocal = isLoopback(request.socket.remoteAddress ?? '') && isLoopback(request.hostname) && !isForwarded;
    if (request.method !== 'GET' || !isLocal) return next();
    const shown = recent.find(({ id }) => request.path === `/${id}`);
    if (request.path !== '/' && !shown) return next();
    response
      .setHeader(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'",
      )
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(shown ? shown.html : listOf(recent));
  };
}

function listOf(recent: readonly Mail[]): string {
  const rows = recent.map(
    ({ id, to, subject }) => `<li><a href="/mail/${escapeHtml(id)}">${escapeHtml(subject)}</a> to ${escapeHtml(to)}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mail</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.8; max-width: 48rem; margin: 2rem auto; padding: 0 1rem">
<h1>Mail</h1>
<p>The last messages of this process. They were not sent, because SMTP_URL is not set.</p>
<ul>${rows.join('\n') || '<li>None yet</li>'}</ul>
</body>
</html>
`;
}
