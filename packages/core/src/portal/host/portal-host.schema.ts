import { z } from 'zod';
import { Brand } from '../../identity/branding/branding.schema.ts';
import { PORTAL_HOST_FAILURES } from '../../identity/branding/branding.tables.ts';
import { email, instant } from '../../platform/wire/scalars.ts';

/** Labels of letters, digits and inner hyphens, separated by dots. The last label begins with a letter, so that an IP address does not match. */
const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A host name without a port, in ASCII. International names are written in punycode. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(HOST_NAME, { error: 'Enter a host name, e.g. partners.example.com.' });

export const PortalHost = z
  .object({
    host: z.string(),
    verified_at: instant().nullable().describe('When the host first led here. Null while the portal is not served there.'),
    failure: z.enum(PORTAL_HOST_FAILURES).nullable().describe('What the last check found, when the host did not lead here.'),
    failing_since: instant().nullable(),
    record: z.object({ name: z.string(), value: z.string() }).describe('The TXT record that proves whose name it is.'),
  })
  .meta({ id: 'PortalHost', description: 'The host name of the merchant’s own under which the portal is.' });
export type PortalHost = z.infer<typeof PortalHost>;

export const CheckPortalHost = z.strictObject({}).optional();

export const GetPortalFront = z.strictObject({}).optional();
export const PortalFront = z.object({ account_name: z.string(), brand: Brand });
export type PortalFront = z.infer<typeof PortalFront>;

export const RequestPortalLink = z.strictObject({ email: email() });
export type RequestPortalLink = z.infer<typeof RequestPortalLink>;
export const RequestedPortalLink = z.object({ email: z.string() });
