import { texts } from './catalogue.ts';

export const t = texts('payment-provider', {
  addEndpoint: {
    en: 'In Stripe, add a webhook endpoint with this URL and these events:',
    de: 'Fügen Sie in Stripe einen Webhook-Endpunkt mit dieser URL und diesen Ereignissen hinzu:',
  },
  connect: { en: 'Connect', de: 'Verbinden' },
  connectYourStripeAccount: { en: 'Connect your Stripe account', de: 'Ihr Stripe-Konto verbinden' },
  connectedAccountAt: { en: 'Connected {at}, account {account}', de: 'Verbunden {at}, Konto {account}' },
  connectedAt: { en: 'Connected {at}', de: 'Verbunden {at}' },
  createKey: {
    en: 'In Stripe, create a restricted key or a secret key. A test key connects test mode.',
    de: 'Erzeugen Sie in Stripe einen eingeschränkten oder einen geheimen Schlüssel. Ein Testschlüssel verbindet den Testmodus.',
  },
  disconnect: { en: 'Disconnect', de: 'Trennen' },
  enterKeyAndSecret: {
    en: 'Enter the key and the signing secret of the endpoint:',
    de: 'Geben Sie den Schlüssel und das Signaturgeheimnis des Endpunkts ein:',
  },
  enterNewSecret: {
    en: 'Enter the new signing secret from Stripe. The current secret is still accepted for a while.',
    de: 'Geben Sie das neue Signaturgeheimnis aus Stripe ein. Das bisherige gilt noch eine Weile.',
  },
  importSalesRefundsAndPromo: {
    en: 'Import sales, refunds, and promo codes from your Stripe account. Keys are stored encrypted and never shown.',
    de: 'Importieren Sie Verkäufe, Erstattungen und Aktionscodes aus Ihrem Stripe-Konto. Schlüssel werden verschlüsselt gespeichert und nie angezeigt.',
  },
  previousSecretUntil: {
    en: 'The previous signing secret is accepted until {at}.',
    de: 'Das vorige Signaturgeheimnis gilt bis {at}.',
  },
  replace: { en: 'Replace', de: 'Ersetzen' },
  replaceSigningSecret: { en: 'Replace signing secret', de: 'Signaturgeheimnis ersetzen' },
  secretKey: { en: 'Secret key', de: 'Geheimer Schlüssel' },
  startsWithWhsec: { en: 'Starts with whsec_.', de: 'Beginnt mit whsec_.' },
  theStoredKeysAreDeleted: {
    en: 'The stored keys are deleted. Stripe sales earn no commissions until you connect again. Existing records are kept.',
    de: 'Die gespeicherten Schlüssel werden gelöscht. Verkäufe in Stripe ergeben keine Provisionen, bis Sie wieder verbinden. Bestehende Datensätze bleiben.',
  },
  webhookEvents: { en: 'Webhook events', de: 'Webhook-Ereignisse' },
  webhookSigningSecret: { en: 'Webhook signing secret', de: 'Signaturgeheimnis des Webhooks' },
  webhookUrl: { en: 'Webhook URL', de: 'Webhook-URL' },
  yourAccount: { en: 'your account', de: 'Ihr Konto' },
});
