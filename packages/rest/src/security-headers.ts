import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * What browsers may do with the answers of an API: nothing. Pages (the reference, the settings) set a policy of their own.
 * Strict-Transport-Security only where the service is known to be reached over TLS.
 */
export function securityHeaders(publicUrl: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    xFrameOptions: { action: 'deny' },
  });
}
