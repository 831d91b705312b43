export { EndpointConnections } from './endpoint-connections.ts';
export { createHostResolver } from './resolve-host.ts';
export {
  postWebhook,
  type WebhookErrorCode,
  type WebhookExchange,
  type WebhookPost,
  type WebhookResponse,
  type WebhookTransport,
} from './http-request.ts';
