import type { Response } from 'express';
import type { z } from 'zod';
import type { Route } from './routes.ts';

/** Day on which the aliases of fields were deprecated. */
const ALIASES_SINCE = '2026-11-27';

const deprecatedFields = new Map<Route, readonly string[]>();

/**
 * Sets the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) if a request uses something deprecated (docs/api.md#versions-and-deprecation).
 *
 * @param input the fields of the request
 * @param publicUrl URL under which the service publishes its documentation
 */
export function announceDeprecation(route: Route, input: object, publicUrl: string, response: Response): void {
  const { deprecated } = route.meta.rest!;
  const since = deprecated?.since ?? (fieldsOf(route).some((name) => name in input) ? ALIASES_SINCE : undefined);
  if (since === undefined) return;
  response.setHeader('Deprecation', `@${Date.parse(since) / 1000}`);
  response.append('Link', `<${publicUrl}/docs>; rel="deprecation"; type="text/html"`);
  if (deprecated?.sunset !== undefined) response.setHeader('Sunset', new Date(deprecated.sunset).toUTCString());
}

function fieldsOf(route: Route): readonly string[] {
  let names = deprecatedFields.get(route);
  if (names === undefined) {
    const fields = Object.entries(route.input.shape) as [string, z.ZodType][];
    deprecatedFields.set(
      route,
      (names = fields.filter(([, field]) => field.meta()?.['deprecated'] === true).map(([name]) => name)),
    );
  }
  return names;
}
