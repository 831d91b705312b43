import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/payment-provider.ts';

export const paymentProvider: TranslationOf<typeof t> = {
  addEndpoint: 'Fügen Sie in Stripe einen Webhook-Endpunkt mit dieser URL und diesen Ereignissen hinzu:',
  connect: 'Verbinden',
  connectYourStripeAccount: 'Ihr Stripe-Konto verbinden',
  connectedAccountAt: 'Verbunden {at}, Konto {account}',
  connectedAt: 'Verbunden {at}',
  createKey:
    'Erzeugen Sie in Stripe einen eingeschränkten oder einen geheimen Schlüssel. Ein Testschlüssel verbindet den Testmodus.',
  disconnect: 'Trennen',
  enterKeyAndSecret: 'Geben Sie den Schlüssel und das Signaturgeheimnis des Endpunkts ein:',
  enterNewSecret: 'Geben Sie das neue Signaturgeheimnis aus Stripe ein. Das bisherige gilt noch eine Weile.',
  importSalesRefundsAndPromo:
    'Importieren Sie Verkäufe, Erstattungen und Aktionscodes aus Ihrem Stripe-Konto. Schlüssel werden verschlüsselt gespeichert und nie angezeigt.',
  previousSecretUntil: 'Das vorige Signaturgeheimnis gilt bis {at}.',
  replace: 'Ersetzen',
  replaceSigningSecret: 'Signaturgeheimnis ersetzen',
  secretKey: 'Geheimer Schlüssel',
  startsWithWhsec: 'Beginnt mit whsec_.',
  theStoredKeysAreDeleted:
    'Die gespeicherten Schlüssel werden gelöscht. Verkäufe in Stripe ergeben keine Provisionen, bis Sie wieder verbinden. Bestehende Datensätze bleiben.',
  webhookEvents: 'Webhook-Ereignisse',
  webhookSigningSecret: 'Signaturgeheimnis des Webhooks',
  webhookUrl: 'Webhook-URL',
  yourAccount: 'Ihr Konto',
};
