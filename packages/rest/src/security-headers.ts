import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers of API responses: browsers may load and run nothing from them. The reference and the pages set policies of their own.
 * Strict-Transport-Security is sent only if PUBLIC_URL is https.
 */
export function securityHeaders(publicUrl: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    xFrameOptions: { action: 'deny' },
  });
}
