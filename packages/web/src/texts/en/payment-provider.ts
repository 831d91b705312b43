import { texts } from '../catalogue.ts';

export const t = texts('payment-provider', {
  addEndpoint: 'In Stripe, add a webhook endpoint with this URL and these events:',
  connect: 'Connect',
  connectYourStripeAccount: 'Connect your Stripe account',
  connectedAccountAt: 'Connected {at}, account {account}',
  connectedAt: 'Connected {at}',
  createKey: 'In Stripe, create a restricted key or a secret key. A test key connects test mode.',
  disconnect: 'Disconnect',
  enterKeyAndSecret: 'Enter the key and the signing secret of the endpoint:',
  enterNewSecret: 'Enter the new signing secret from Stripe. The current secret is still accepted for a while.',
  importSalesRefundsAndPromo:
    'Import sales, refunds, and promo codes from your Stripe account. Keys are stored encrypted and never shown.',
  previousSecretUntil: 'The previous signing secret is accepted until {at}.',
  replace: 'Replace',
  replaceSigningSecret: 'Replace signing secret',
  secretKey: 'Secret key',
  startsWithWhsec: 'Starts with whsec_.',
  theStoredKeysAreDeleted:
    'The stored keys are deleted. Stripe sales earn no commissions until you connect again. Existing records are kept.',
  webhookEvents: 'Webhook events',
  webhookSigningSecret: 'Webhook signing secret',
  webhookUrl: 'Webhook URL',
  yourAccount: 'your account',
});
