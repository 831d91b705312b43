/** Headers that a receiver asks for, e.g. basic authentication. They are sealed, and never shown again (docs/rules/webhooks.md#webhook-endpoints). */
import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import type { WebhookEndpoint } from './webhook-endpoint.entity.ts';

const MAX_HEADERS = 10;
/** Headers that the service or HTTP sets. */
const RESERVED =
  /^(?:hook-.*|webhook-.*|content-.*|proxy-.*|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent)$/i;

/** Values of headers, by name. */
export const SecretHeaders = z
  .record(
    z.string().min(1).max(100),
    z
      .string()
      .max(2_000)
      .refine((value) => /^[!-~]+(?: +[!-~]+)*$/.test(value), WEBHOOK_REASONS.header_value_form),
  )
  .refine(
    every((name) => /^[A-Za-z0-9_-]+$/.test(name)),
    WEBHOOK_REASONS.header_name_form,
  )
  .refine(
    every((name) => !RESERVED.test(name)),
    WEBHOOK_REASONS.header_reserved,
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, WEBHOOK_REASONS.too_many_headers({ max: MAX_HEADERS }))
  .refine((headers) => lowerCaseNames(headers).length === Object.keys(headers).length, WEBHOOK_REASONS.header_twice);

function every(isValid: (name: string) => boolean) {
  return (headers: Record<string, string>) => Object.keys(headers).every(isValid);
}

function lowerCaseNames(headers: Record<string, string>): string[] {
  return [...new Set(Object.keys(headers).map((name) => name.toLowerCase()))].toSorted();
}

/** The columns of an endpoint that sends these headers. */
export function withSecretHeaders(
  { secrets }: Pick<Services, 'secrets'>,
  headers: Record<string, string>,
): Pick<WebhookEndpoint, 'secret_header_names' | 'sealed_headers'> {
  const names = lowerCaseNames(headers);
  return { secret_header_names: names, sealed_headers: names.length === 0 ? null : secrets.seal(JSON.stringify(headers)) };
}

/** Returns the headers of an endpoint, by name. */
export function openSecretHeaders(
  { secrets }: Pick<Services, 'secrets'>,
  { sealed_headers }: Pick<WebhookEndpoint, 'sealed_headers'>,
): Record<string, string> {
  return sealed_headers === null ? {} : (JSON.parse(secrets.open(sealed_headers)) as Record<string, string>);
}
