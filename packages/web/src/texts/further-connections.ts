import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  accessToken: { en: 'Access token', de: 'Zugriffstoken' },
  add: { en: 'Add a payment provider', de: 'Zahlungsanbieter hinzufügen' },
  address: { en: 'Address for events', de: 'Adresse für Ereignisse' },
  buyer: { en: 'Currency of the buyer', de: 'Währung des Käufers' },
  choiceCount: { en: 'Earns', de: 'Zählt' },
  choiceExclude: { en: 'Does not earn', de: 'Zählt nicht' },
  choices: { en: 'What earns', de: 'Was zählt' },
  consumerKey: { en: 'Consumer key', de: 'Consumer Key' },
  consumerSecret: { en: 'Consumer secret', de: 'Consumer Secret' },
  currency: { en: 'Amounts', de: 'Beträge' },
  disconnectConsequence: {
    en: 'The stored keys are deleted. Recorded sales and commissions stay.',
    de: 'Die gespeicherten Schlüssel werden gelöscht. Erfasste Käufe und Provisionen bleiben.',
  },
  dodoHint: {
    en: 'In Dodo Payments, under Developer, API keys, create an API key that may read and write. The webhook endpoint is created for you.',
    de: 'Erzeugen Sie in Dodo Payments unter Developer, API keys einen API-Schlüssel, der lesen und schreiben darf. Der Webhook-Endpunkt wird für Sie angelegt.',
  },
  draftOrders: { en: 'Orders from drafts', de: 'Bestellungen aus Entwürfen' },
  enterSecret: { en: 'Enter the signing secret', de: 'Signaturgeheimnis eingeben' },
  facts: { en: 'Signed facts', de: 'Signierte Meldungen' },
  factsHint: {
    en: 'For every other provider: your own server sends signed facts about payments. You get an address and a signing secret.',
    de: 'Für jeden anderen Anbieter: Ihr eigener Server sendet signierte Meldungen über Zahlungen. Sie bekommen eine Adresse und ein Signaturgeheimnis.',
  },
  followPurchase: {
    en: 'Follow a test purchase from the click to the commission',
    de: 'Einen Testkauf vom Klick bis zur Provision verfolgen',
  },
  fees: { en: 'Fees', de: 'Gebühren' },
  ignored: {
    en: { one: '{count} event has had no effect so far.', other: '{count} events have had no effect so far.' },
    de: { one: '{count} Ereignis blieb bisher ohne Wirkung.', other: '{count} Ereignisse blieben bisher ohne Wirkung.' },
  },
  keyExpires: { en: 'The key expires soon', de: 'Der Schlüssel läuft bald ab' },
  keyExpiresAt: {
    en: 'The provider accepts it until {at}. Make a new one there, and enter it here.',
    de: 'Der Anbieter nimmt ihn bis {at} an. Erzeugen Sie dort einen neuen, und geben Sie ihn hier ein.',
  },
  lastEvent: { en: 'Last event {at}', de: 'Letztes Ereignis {at}' },
  lemonSqueezyHint: {
    en: 'In Lemon Squeezy, under Settings, API, create an API key. The ID of your store is under Settings, Stores. The webhook is created for you.',
    de: 'Erzeugen Sie in Lemon Squeezy unter Settings, API einen API-Schlüssel. Die ID Ihres Stores steht unter Settings, Stores. Der Webhook wird für Sie angelegt.',
  },
  manualOrders: { en: 'Orders made by hand', de: 'Von Hand angelegte Bestellungen' },
  newKey: { en: 'Enter a new key', de: 'Neuen Schlüssel eingeben' },
  newKeyHint: {
    en: 'Enter a new key of the same account. The address for events and your settings stay as they are.',
    de: 'Geben Sie einen neuen Schlüssel desselben Kontos ein. Die Adresse für Ereignisse und Ihre Einstellungen bleiben, wie sie sind.',
  },
  newSecret: { en: 'Make a new signing secret', de: 'Neues Signaturgeheimnis erzeugen' },
  newSecretConsequence: {
    en: 'The current secret stays valid for 24 hours.',
    de: 'Das bisherige Geheimnis gilt noch 24 Stunden.',
  },
  noEvent: { en: 'No event so far.', de: 'Noch kein Ereignis.' },
  noSecret: {
    en: 'Events are refused until you create an endpoint with this address and these events at the provider, and enter its signing secret here. Until then, the provider is asked for changes.',
    de: 'Ereignisse werden abgelehnt, bis Sie beim Anbieter einen Endpunkt mit dieser Adresse und diesen Ereignissen anlegen und hier dessen Signaturgeheimnis eingeben. Bis dahin wird der Anbieter nach Änderungen gefragt.',
  },
  none: {
    en: 'Sell with several providers, or with several accounts, at the same time.',
    de: 'Verkaufen Sie mit mehreren Anbietern oder mehreren Konten zugleich.',
  },
  otherHint: {
    en: 'The key determines live or test mode. It is checked, and stored encrypted.',
    de: 'Der Schlüssel bestimmt Live- oder Testmodus. Er wird geprüft und verschlüsselt gespeichert.',
  },
  paddleHint: {
    en: 'In Paddle, under Developer tools, Authentication, create an API key that may read transactions, adjustments, customers, discounts, subscriptions, products and prices, and write notification settings. The destination is created for you.',
    de: 'Erzeugen Sie in Paddle unter Developer tools, Authentication einen API-Schlüssel, der transactions, adjustments, customers, discounts, subscriptions, products und prices lesen und notification settings schreiben darf. Das Ziel für Ereignisse wird für Sie angelegt.',
  },
  pointOfSale: { en: 'Point of sale', de: 'Kasse im Laden' },
  polarHint: {
    en: 'In Polar, under Settings, create an organization access token that may read organizations, orders, refunds, disputes, customers, subscriptions and products, and read and write webhooks. The webhook endpoint is created for you.',
    de: 'Erzeugen Sie in Polar unter Settings einen Organization Access Token, der organizations, orders, refunds, disputes, customers, subscriptions und products lesen und webhooks lesen und schreiben darf. Der Webhook-Endpunkt wird für Sie angelegt.',
  },
  problem: { en: 'The provider cannot be asked', de: 'Der Anbieter kann nicht gefragt werden' },
  provider: { en: 'Payment provider', de: 'Zahlungsanbieter' },
  secretHint: {
    en: 'Sign your facts with it. It cannot be shown again.',
    de: 'Signieren Sie Ihre Meldungen damit. Es kann nicht noch einmal angezeigt werden.',
  },
  secretOf: { en: 'Signing secret of {name}', de: 'Signaturgeheimnis von {name}' },
  shipping: { en: 'Shipping', de: 'Versand' },
  shopAddress: { en: 'Address of the shop', de: 'Adresse des Shops' },
  shop: { en: 'Currency of the shop', de: 'Währung des Shops' },
  shopifyHint: {
    en: 'In the Dev Dashboard of Shopify, create an app that may read orders, customers, products and disputes, and install it in your shop. The webhooks are created for you.',
    de: 'Erstellen Sie im Dev Dashboard von Shopify eine App, die Bestellungen, Kunden, Produkte und Zahlungsanfechtungen lesen darf, und installieren Sie sie in Ihrem Shop. Die Webhooks werden für Sie angelegt.',
  },
  storeId: { en: 'Store ID', de: 'ID des Stores' },
  title: { en: 'Further payment providers', de: 'Weitere Zahlungsanbieter' },
  unattributed: {
    en: 'Payments of the last 7 days by {name} without an affiliate',
    de: 'Zahlungen der letzten 7 Tage über {name} ohne Partner',
  },
  waiting: {
    en: { one: '{count} event could not be applied yet.', other: '{count} events could not be applied yet.' },
    de: {
      one: '{count} Ereignis konnte noch nicht angewendet werden.',
      other: '{count} Ereignisse konnten noch nicht angewendet werden.',
    },
  },
  woocommerceHint: {
    en: 'In WordPress, under WooCommerce, Settings, Advanced, REST API, add a key that may read and write. The webhook is created for you.',
    de: 'Fügen Sie in WordPress unter WooCommerce, Einstellungen, Erweitert, REST-API einen Schlüssel hinzu, der lesen und schreiben darf. Der Webhook wird für Sie angelegt.',
  },
});

/** Labels of the credentials, by source and field. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  'stripe.secret_key': t.secretKey,
  'dodo.api_key': t.apiKey,
  'lemon_squeezy.api_key': t.apiKey,
  'lemon_squeezy.store_id': t.storeId,
  'paddle.api_key': t.apiKey,
  'polar.access_token': t.accessToken,
  'shopify.shop': t.shopAddress,
  'shopify.client_id': t.clientId,
  'shopify.client_secret': t.clientSecret,
  'woocommerce.store_url': t.shopAddress,
  'woocommerce.consumer_key': t.consumerKey,
  'woocommerce.consumer_secret': t.consumerSecret,
};

/** Labels of the choices, and of their options, by name. */
export const CHOICE_LABELS: Readonly<Record<string, string>> = {
  currency: t.currency,
  draft_orders: t.draftOrders,
  fees: t.fees,
  manual_orders: t.manualOrders,
  point_of_sale: t.pointOfSale,
  shipping: t.shipping,
};
export const OPTION_LABELS: Readonly<Record<string, string>> = {
  buyer: t.buyer,
  count: t.choiceCount,
  exclude: t.choiceExclude,
  shop: t.shop,
};

/** The steps at the provider before it can be connected, by source. */
export const HINTS: Readonly<Record<string, string>> = {
  dodo: t.dodoHint,
  facts: t.factsHint,
  lemon_squeezy: t.lemonSqueezyHint,
  paddle: t.paddleHint,
  polar: t.polarHint,
  shopify: t.shopifyHint,
  woocommerce: t.woocommerceHint,
};
