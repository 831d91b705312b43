import { DomainError, type Services, authenticateApiKey, authenticateConnector, untranslated } from '@affiliate/core';
import type { Assistant } from './published-tool.ts';

/**
 * Returns the caller and account of a connector token, which may have been issued over OAuth, or of an API key. Throws UNAUTHORIZED and
 * SECOND_FACTOR_REQUIRED.
 */
export async function identifyAssistant(services: Services, secret: string | undefined): Promise<Assistant> {
  const assistant =
    secret === undefined
      ? null
      : ((await authenticateConnector(services, secret)) ?? (await authenticateApiKey(services, secret)));
  if (!assistant)
    throw new DomainError(
      'UNAUTHORIZED',
      untranslated('The token is missing or not valid. Send a connector token or an API key: Authorization: Bearer <token>.'),
    );
  return assistant;
}
