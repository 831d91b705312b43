import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Sets the security headers of API responses: a browser that shows such a response must not load or run anything. The API reference and
 * the pages replace the Content-Security-Policy with their own. Strict-Transport-Security is sent only if PUBLIC_URL is https.
 */
export function securityHeaders(publicUrl: string): RequestHandler {
  const headers: [string, string][] = [];
  const answer = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Only for the requested host. Merchants' own hosts have subdomains that are not ours.
    strictTransportSecurity: publicUrl.startsWith('https:') && { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  });
  // The headers are the same for every response, so they are computed once.
  const response = { setHeader: (...header: [string, string]) => headers.push(header), removeHeader: () => undefined };
  answer({} as never, response as never, () => undefined);
  return (_request, actual, next) => {
    for (const [name, value] of headers) actual.setHeader(name, value);
    next();
  };
}
