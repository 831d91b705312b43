import { z } from 'zod';
import { email, instant } from '../../platform/wire/scalars.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { Brand, PORTAL_HOST_FAILURES } from '../../identity/branding/branding.ts';

/** Labels of letters, digits and inner hyphens, separated by dots. The last label begins with a letter, so that an IP address does not match. */
const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A host name without a port, in ASCII. International names are written in punycode. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .refine((name) => HOST_NAME.test(name), PORTAL_REASONS.host_name_form);

export const PortalHost = z
  .object({
    host: z.string(),
    verified_at: instant()
      .nullable()
      .describe('Time at which the host was verified. Null while it is not verified; the portal is not available there then.'),
    failure: z
      .enum(PORTAL_HOST_FAILURES)
      .nullable()
      .describe('Reason why the last check failed; null if it succeeded or has not run yet.'),
    failing_since: instant().nullable(),
    record: z
      .object({ name: z.string(), value: z.string() })
      .describe('TXT record to create in the DNS. It proves that the host name is yours.'),
  })
  .meta({ id: 'PortalHost', description: 'The merchant’s own host name for the portal.' });
export type PortalHost = z.infer<typeof PortalHost>;

export const CheckPortalHost = z.strictObject({}).optional();

export const GetPortalFront = z.strictObject({}).optional();
export const PortalFront = z.object({ account_name: z.string(), brand: Brand });
export type PortalFront = z.infer<typeof PortalFront>;

export const RequestPortalLink = z.strictObject({ email: email() });
export type RequestPortalLink = z.infer<typeof RequestPortalLink>;
export const RequestedPortalLink = z.object({ email: z.string() });
