import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  above: { en: 'Above an amount', de: 'Über einem Betrag' },
  account: { en: 'Account {id}', de: 'Konto {id}' },
  add: { en: 'Connect an account', de: 'Konto verbinden' },
  always: { en: 'Always', de: 'Immer' },
  apiToken: { en: 'API token', de: 'API-Token' },
  bankAchHint: {
    en: 'Values that your bank in the United States has given you for ACH files. Affiliates can then enter their bank accounts.',
    de: 'Werte, die Ihnen Ihre Bank in den USA für ACH-Dateien gegeben hat. Affiliates können dann ihre Bankkonten eingeben.',
  },
  bankName: { en: 'Name of the bank', de: 'Name der Bank' },
  companyId: { en: 'Company ID', de: 'Company ID' },
  companyName: { en: 'Company name', de: 'Name des Unternehmens' },
  immediateOrigin: {
    en: 'Immediate origin, if it is not the company ID',
    de: 'Immediate Origin, wenn es nicht die Company ID ist',
  },
  routingNumber: { en: 'Routing number of your bank', de: 'Routing Number Ihrer Bank' },
  bankSepaHint: {
    en: 'The account from which you pay. Exports then have a file for your bank, and affiliates can enter their bank accounts.',
    de: 'Das Konto, von dem Sie bezahlen. Exporte haben dann eine Datei für Ihre Bank, und Affiliates können ihre Bankkonten eingeben.',
  },
  continueSending: { en: 'Let payments go on', de: 'Zahlungen fortsetzen' },
  continueConsequence: {
    en: 'Payments that wait are sent within a few minutes.',
    de: 'Wartende Zahlungen werden innerhalb weniger Minuten gesendet.',
  },
  dailyLimit: { en: 'Largest amount in 24 hours ({currency})', de: 'Höchstbetrag in 24 Stunden ({currency})' },
  dailyLimitHint: { en: 'Empty: no limit.', de: 'Leer: keine Grenze.' },
  description: {
    en: 'Services that pay your affiliates, and who may have payments sent.',
    de: 'Dienste, die Ihre Affiliates bezahlen, und wer Zahlungen senden lassen darf.',
  },
  byMerchant: { en: 'You', de: 'Sie' },
  byAffiliate: { en: 'The affiliate', de: 'Der Partner' },
  feeBearer: { en: 'Who bears the fee: {method}', de: 'Wer die Gebühr trägt: {method}' },
  feeOf: { en: 'Fee of a payment ({currency})', de: 'Gebühr je Zahlung ({currency})' },
  feeHint: {
    en: 'Taken from what is sent. Empty: the fee that the service tells before it is sent. If it tells none, you bear it.',
    de: 'Wird vom gesendeten Betrag abgezogen. Leer: die Gebühr, die der Dienst vor dem Senden nennt. Nennt er keine, tragen Sie sie.',
  },
  minimumOf: { en: 'Smallest payout: {method} ({currency})', de: 'Kleinste Auszahlung: {method} ({currency})' },
  terms: { en: 'Fees, minimums and pauses', de: 'Gebühren, Mindestbeträge und Pausen' },
  termsHint: {
    en: 'Affiliates see them where they choose how to be paid. Payments that are prepared already keep theirs.',
    de: 'Partner sehen sie dort, wo sie ihren Auszahlungsweg wählen. Schon vorbereitete Zahlungen behalten ihre.',
  },
  termsSaved: { en: 'Settings of the methods saved.', de: 'Einstellungen der Wege gespeichert.' },
  enterAmount: {
    en: 'Enter an amount in {currency}, e.g. {value}.',
    de: 'Geben Sie einen Betrag in {currency} ein, z. B. {value}.',
  },
  hoursHint: {
    en: 'In the time zone of the account ({zone}). Outside of these hours, payments wait.',
    de: 'In der Zeitzone des Kontos ({zone}). Außerhalb dieser Stunden warten Zahlungen.',
  },
  hoursUntil: { en: 'Until', de: 'Bis' },
  live: { en: 'The credentials determine live or test mode.', de: 'Die Zugangsdaten bestimmen Live- oder Testmodus.' },
  newMethods: { en: 'First payments need approval', de: 'Erste Zahlungen brauchen eine Freigabe' },
  newMethodsHint: {
    en: 'The first payment of an affiliate by a method, and the first one after a change of payout details.',
    de: 'Die erste Zahlung eines Partners auf einem Weg und die erste nach einer Änderung der Auszahlungsdaten.',
  },
  noEndpoint: {
    en: 'No notices come from this service, so payments are asked about every few minutes. Connect the account again to try once more.',
    de: 'Von diesem Dienst kommen keine Nachrichten, deshalb wird alle paar Minuten nach den Zahlungen gefragt. Verbinden Sie das Konto noch einmal, um es erneut zu versuchen.',
  },
  none: {
    en: 'No service is connected. You pay by files or by hand.',
    de: 'Kein Dienst ist verbunden. Sie bezahlen mit Dateien oder von Hand.',
  },
  onlyInHours: { en: 'Send payments only at some hours', de: 'Zahlungen nur zu bestimmten Stunden senden' },
  paused: { en: 'Pause: {method}', de: 'Anhalten: {method}' },
  pausedHint: {
    en: 'Nothing new is prepared or sent. What was sent goes on. You may have to sign in again to let it go on.',
    de: 'Es wird nichts Neues vorbereitet oder gesendet. Gesendetes läuft weiter. Zum Fortsetzen müssen Sie sich vielleicht neu anmelden.',
  },
  paypalHint: {
    en: 'In PayPal’s developer dashboard, open your live app with Payouts enabled, and copy client ID and secret. The webhook is created for you.',
    de: 'Öffnen Sie im Developer-Dashboard von PayPal Ihre Live-App mit freigeschalteten Payouts, und kopieren Sie Client-ID und Secret. Der Webhook wird für Sie angelegt.',
  },
  problem: { en: 'Nothing is sent through this account', de: 'Über dieses Konto wird nichts gesendet' },
  profileId: { en: 'Profile ID, if the token has several businesses', de: 'Profil-ID, wenn das Token mehrere Unternehmen hat' },
  removeConsequence: {
    en: 'The credentials are deleted. Payments under way are followed again when you connect the same account again.',
    de: 'Die Zugangsdaten werden gelöscht. Laufende Zahlungen werden weiter verfolgt, wenn Sie dasselbe Konto wieder verbinden.',
  },
  resume: { en: 'Resume', de: 'Fortsetzen' },
  resumeConsequence: {
    en: 'Correct the cause first. Then the payments that wait are sent.',
    de: 'Beheben Sie zuerst die Ursache. Dann werden die wartenden Zahlungen gesendet.',
  },
  rules: { en: 'Before payments are sent', de: 'Bevor Zahlungen gesendet werden' },
  rulesSaved: { en: 'Rules saved.', de: 'Regeln gespeichert.' },
  secretKey: { en: 'Restricted key', de: 'Eingeschränkter Schlüssel' },
  secondPerson: { en: 'A second person approves', de: 'Eine zweite Person gibt frei' },
  secondPersonHint: {
    en: 'The former rules hold beside new ones for 24 hours. You may have to sign in again to change them.',
    de: 'Die bisherigen Regeln gelten noch 24 Stunden neben neuen. Zum Ändern müssen Sie sich vielleicht neu anmelden.',
  },
  service: { en: 'Service', de: 'Dienst' },
  services: { en: 'Services that pay', de: 'Dienste, die bezahlen' },
  sourceCurrency: {
    en: 'Currency of the balance that pays, if not that of each payout',
    de: 'Währung des Guthabens, das bezahlt, wenn nicht die jeder Auszahlung',
  },
  stop: { en: 'Stop all payments', de: 'Alle Zahlungen anhalten' },
  stopConsequence: {
    en: 'No payment is sent from now on. Payments that were sent go on.',
    de: 'Ab jetzt wird keine Zahlung gesendet. Gesendete Zahlungen laufen weiter.',
  },
  stopped: { en: 'All payments are stopped since {at}.', de: 'Alle Zahlungen sind seit {at} angehalten.' },
  wiseHint: {
    en: 'In your Wise business account, open Settings, API tokens, and create a token with full access. Where Wise lets no token pay in, you pay the transfers in at Wise.',
    de: 'Öffnen Sie in Ihrem Wise-Geschäftskonto Einstellungen, API-Tokens, und erstellen Sie ein Token mit vollem Zugriff. Wo Wise kein Token einzahlen lässt, zahlen Sie die Überweisungen bei Wise ein.',
  },
  stripeHint: {
    en: 'In Stripe’s dashboard, make a restricted key with write access to Transfers and Webhook Endpoints and read access to Balance. Affiliates are paid to connected accounts of your platform.',
    de: 'Erstellen Sie im Dashboard von Stripe einen eingeschränkten Schlüssel mit Schreibzugriff auf Transfers und Webhook Endpoints und Lesezugriff auf Balance. Affiliates werden auf verbundene Konten Ihrer Plattform bezahlt.',
  },
  threshold: { en: 'Amount without approval in 24 hours ({currency})', de: 'Betrag ohne Freigabe in 24 Stunden ({currency})' },
});

/** Labels of the credentials, by kind and field. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  'bank_ach.bank_name': t.bankName,
  'bank_ach.company_id': t.companyId,
  'bank_ach.company_name': t.companyName,
  'bank_ach.immediate_origin': t.immediateOrigin,
  'bank_ach.routing_number': t.routingNumber,
  'bank_sepa.account_holder': t.accountHolder,
  'bank_sepa.iban': t.iban,
  'bank_sepa.bic': t.bic,
  'paypal.client_id': t.clientId,
  'paypal.client_secret': t.clientSecret,
  'stripe.secret_key': t.secretKey,
  'wise.api_token': t.apiToken,
  'wise.profile_id': t.profileId,
  'wise.source_currency': t.sourceCurrency,
};

/** The steps at the service before it can be connected, by kind. */
export const HINTS: Readonly<Record<string, string>> = {
  bank_ach: t.bankAchHint,
  bank_sepa: t.bankSepaHint,
  paypal: t.paypalHint,
  stripe: t.stripeHint,
  wise: t.wiseHint,
};
