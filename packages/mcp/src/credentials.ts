import { DomainError, type Services, authenticateApiKey, authenticateConnector } from '@affiliate/core';
import type { Assistant } from './published-tool.ts';

/** The caller of a connector token (its own or one issued over OAuth) or an API key, with its account. Throws UNAUTHORIZED, SECOND_FACTOR_REQUIRED. */
export async function identifyAssistant(services: Services, secret: string | undefined): Promise<Assistant> {
  const assistant =
    secret === undefined
      ? null
      : ((await authenticateConnector(services, secret)) ?? (await authenticateApiKey(services, secret)));
  if (!assistant)
    throw new DomainError('UNAUTHORIZED', 'Send a valid connector token or API key: Authorization: Bearer <token>.');
  return assistant;
}
