import { parseAllowedNetworks } from '@affiliate/core';
import {
  EndpointConnections,
  type WebhookErrorCode,
  type WebhookExchange,
  type WebhookPost,
  type WebhookTransport,
} from '@affiliate/worker';

/** Creates a transport that reaches only loopback. Every name resolves to 127.0.0.1. */
export function loopbackTransport(overrides: Partial<WebhookTransport> = {}): WebhookTransport {
  return {
    connections: new EndpointConnections(),
    resolve: async () => ['127.0.0.1'],
    allowed: parseAllowedNetworks('127.0.0.0/8'),
    ...overrides,
  };
}

export function postTo(url: string, overrides: Partial<WebhookPost> = {}): WebhookPost {
  return { endpointId: 'whe_1', url, headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}', ...overrides };
}

/** Returns the error code of an exchange without a response. Undefined, which no test expects, if there was a response. */
export function failureBeforeResponse({ response, errorCode }: WebhookExchange): WebhookErrorCode | undefined {
  return response === undefined ? errorCode : undefined;
}
