import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  // Stripe shows the names of permissions in English only.
  stripeWebhookEndpoints: { en: 'Webhook Endpoints', de: 'Webhook Endpoints' },
  stripeInvoices: { en: 'Invoices', de: 'Invoices' },
  stripeSubscriptions: { en: 'Subscriptions', de: 'Subscriptions' },
  stripeEvents: { en: 'Events', de: 'Events' },
  stripeCheckoutSessions: { en: 'Checkout Sessions', de: 'Checkout Sessions' },
  stripePrices: { en: 'Prices', de: 'Prices' },
  stripeCoupons: { en: 'Coupons', de: 'Coupons' },
  stripePromotionCodes: { en: 'Promotion Codes', de: 'Promotion Codes' },
  addEndpoint: {
    en: 'In Stripe, add a webhook endpoint with this URL and these events:',
    de: 'Fügen Sie in Stripe einen Webhook-Endpunkt mit dieser URL und diesen Ereignissen hinzu:',
  },
  connectYourStripeAccount: { en: 'Connect your Stripe account', de: 'Ihr Stripe-Konto verbinden' },
  connectedAccountAt: { en: 'Connected {at}, account {account}', de: 'Verbunden {at}, Konto {account}' },
  connectedAt: { en: 'Connected {at}', de: 'Verbunden {at}' },
  connectedAccount: { en: 'Connected account', de: 'Verbundenes Konto' },
  connectedAccountHint: {
    en: 'Only for Stripe Connect platforms: the account whose payments count. Leave empty for your own account.',
    de: 'Nur für Stripe-Connect-Plattformen: das Konto, dessen Zahlungen zählen. Leer lassen für Ihr eigenes Konto.',
  },
  createByHand: { en: 'Create the endpoint yourself', de: 'Den Endpunkt selbst anlegen' },
  createKey: {
    en: 'In Stripe, under Developers, API keys, create a restricted key with these permissions. A test key connects test mode.',
    de: 'Erzeugen Sie in Stripe unter Entwickler, API-Schlüssel einen eingeschränkten Schlüssel mit diesen Berechtigungen. Ein Testschlüssel verbindet den Testmodus.',
  },
  createsEndpoint: {
    en: 'The webhook endpoint is created for you, and repaired when events are missing.',
    de: 'Der Webhook-Endpunkt wird für Sie angelegt, und repariert, wenn Ereignisse fehlen.',
  },
  customerIdKey: { en: 'Metadata key of your customer ID', de: 'Metadaten-Schlüssel Ihrer Kundennummer' },
  customerIdKeyHint: {
    en: 'Stripe metadata under this key identify a customer. Leave empty if there is no such key.',
    de: 'Stripe-Metadaten unter diesem Schlüssel kennzeichnen einen Kunden. Leer lassen, wenn es keinen gibt.',
  },
  endpointDisabled: { en: 'The webhook endpoint is disabled in Stripe.', de: 'Der Webhook-Endpunkt ist in Stripe deaktiviert.' },
  endpointLacksEvents: {
    en: 'The webhook endpoint in Stripe lacks these events:',
    de: 'Dem Webhook-Endpunkt in Stripe fehlen diese Ereignisse:',
  },
  endpointMissing: {
    en: 'There is no webhook endpoint for this account in Stripe, so no events arrive.',
    de: 'In Stripe gibt es keinen Webhook-Endpunkt für dieses Konto, also kommen keine Ereignisse an.',
  },
  endpointUnreadable: {
    en: 'The key may not read webhook endpoints, so the endpoint cannot be checked.',
    de: 'Der Schlüssel darf Webhook-Endpunkte nicht lesen, also kann der Endpunkt nicht geprüft werden.',
  },
  endpointWorks: { en: 'The webhook endpoint in Stripe works.', de: 'Der Webhook-Endpunkt in Stripe funktioniert.' },
  enterNewSecret: {
    en: 'Enter the new signing secret from Stripe. The current secret is still accepted for a while.',
    de: 'Geben Sie das neue Signaturgeheimnis aus Stripe ein. Das bisherige gilt noch eine Weile.',
  },
  eventTypes: { en: 'Events by type', de: 'Ereignisse nach Art' },
  for_codes: { en: 'for promo codes', de: 'für Gutscheincodes' },
  for_endpoint: { en: 'to create and repair the webhook endpoint', de: 'um den Webhook-Endpunkt anzulegen und zu reparieren' },
  for_lines: { en: 'to read what was sold', de: 'um zu lesen, was verkauft wurde' },
  for_events: { en: 'to read what events leave out', de: 'um zu lesen, was in Ereignissen fehlt' },
  ignoredEvents: { en: 'Events without an effect', de: 'Ereignisse ohne Wirkung' },
  importSalesRefundsAndPromo: {
    en: 'Import sales, refunds, and promo codes from your payment providers. Keys are stored encrypted and never shown.',
    de: 'Importieren Sie Verkäufe, Erstattungen und Aktionscodes von Ihren Zahlungsanbietern. Schlüssel werden verschlüsselt gespeichert und nie angezeigt.',
  },
  lastArrival: { en: 'Last arrival', de: 'Zuletzt angekommen' },
  neverMeet: {
    en: 'No payment of the last 7 days came from an affiliate, although affiliates’ links had visitors.',
    de: 'Keine Zahlung der letzten 7 Tage kam von einem Partner, obwohl Partnerlinks Besucher hatten.',
  },
  neverMeetHint: {
    en: 'Your pages probably do not pass the referral to Stripe. Pass affiliate.referral as client_reference_id or as metadata, and check that the tracking script and Stripe belong to the same shop.',
    de: 'Vermutlich geben Ihre Seiten die Empfehlung nicht an Stripe weiter. Übergeben Sie affiliate.referral als client_reference_id oder in den Metadaten, und prüfen Sie, ob das Tracking-Skript und Stripe zum selben Shop gehören.',
  },
  outsideCount: { en: 'Earn like other payments', de: 'Zählen wie andere Zahlungen' },
  outsideExclude: { en: 'Nobody earns from them', de: 'Niemand verdient daran' },
  outsidePayments: { en: 'Invoices paid outside Stripe', de: 'Außerhalb von Stripe bezahlte Rechnungen' },
  permissionsMissing: { en: 'The key lacks permissions', de: 'Dem Schlüssel fehlen Berechtigungen' },
  previousSecretUntil: {
    en: 'The previous signing secret is accepted until {at}.',
    de: 'Das vorige Signaturgeheimnis gilt bis {at}.',
  },
  read: { en: 'read', de: 'lesen' },
  repair: { en: 'Repair', de: 'Reparieren' },
  replace: { en: 'Replace', de: 'Ersetzen' },
  replaceSigningSecret: { en: 'Replace signing secret', de: 'Signaturgeheimnis ersetzen' },
  settings: { en: 'Connection settings', de: 'Einstellungen der Verbindung' },
  settingsApplyFromNow: {
    en: 'Changes apply to events from now on.',
    de: 'Änderungen gelten für Ereignisse ab jetzt.',
  },
  startsWithRk: { en: 'Starts with rk_ or sk_.', de: 'Beginnt mit rk_ oder sk_.' },
  startsWithWhsec: { en: 'Starts with whsec_.', de: 'Beginnt mit whsec_.' },
  theStoredKeysAreDeleted: {
    en: 'The stored keys are deleted. Stripe sales earn no commissions until you connect again. Existing records are kept.',
    de: 'Die gespeicherten Schlüssel werden gelöscht. Verkäufe in Stripe ergeben keine Provisionen, bis Sie wieder verbinden. Bestehende Datensätze bleiben.',
  },
  unusedTypes: {
    en: 'Events of these types are not used: {types}',
    de: 'Ereignisse dieser Arten werden nicht verwendet: {types}',
  },
  webhookEvents: { en: 'Webhook events', de: 'Webhook-Ereignisse' },
  webhookSigningSecret: { en: 'Webhook signing secret', de: 'Signaturgeheimnis des Webhooks' },
  webhookUrl: { en: 'Webhook URL', de: 'Webhook-URL' },
  for_write_back: { en: 'to write metadata', de: 'um Metadaten zu schreiben' },
  writeBack: {
    en: 'Write affiliate, campaign and commission to customers and invoices in Stripe',
    de: 'Partner, Kampagne und Provision bei Kunden und Rechnungen in Stripe vermerken',
  },
  writeBackHint: {
    en: 'As metadata with the IDs of this service. The key needs the permissions Customers (write) and Invoices (write).',
    de: 'Als Metadaten mit den IDs dieses Dienstes. Der Schlüssel braucht die Berechtigungen Kunden (schreiben) und Rechnungen (schreiben).',
  },
  writeBackFails: {
    en: 'Metadata cannot be written to Stripe. The service keeps trying.',
    de: 'Metadaten können nicht nach Stripe geschrieben werden. Der Dienst versucht es weiter.',
  },
  optionalPermissions: {
    en: 'Optional: Checkout Sessions (write) for test purchases with a test key; Customers and Invoices (write) to write metadata.',
    de: 'Wahlweise: Checkout-Sitzungen (schreiben) für Testkäufe mit einem Testschlüssel; Kunden und Rechnungen (schreiben), um Metadaten zu schreiben.',
  },
  write: { en: 'write', de: 'schreiben' },
  yourAccount: { en: 'your account', de: 'Ihr Konto' },
  lastEvent: { en: 'Last event received {at}', de: 'Letztes Ereignis empfangen {at}' },
  noEvent: {
    en: 'No event was received in the last 90 days. Check the endpoint in Stripe.',
    de: 'In den letzten 90 Tagen kam kein Ereignis an. Prüfen Sie den Endpunkt in Stripe.',
  },
  otherModeOnly: {
    en: 'All events come from the other mode (live or test) and are kept without an effect. Connect the key of their mode, or add the endpoint in the mode of your key.',
    de: 'Es kommen nur Ereignisse des anderen Modus (live oder Test) an. Sie werden ohne Wirkung aufbewahrt. Verbinden Sie den Schlüssel ihres Modus, oder legen Sie den Endpunkt im Modus Ihres Schlüssels an.',
  },
});
