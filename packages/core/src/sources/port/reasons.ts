import { reasons } from '../../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const SOURCE_REASONS = reasons({
  event_incomplete: { en: '{words}', de: 'Der Zahlungsanbieter hat noch nicht alles mitgeteilt.' },
  provider_said: { en: '{words}', de: 'Der Zahlungsanbieter hat die Anfrage nicht ausgeführt.' },
  unknown_provider: { en: 'There is no payment provider of this kind.', de: 'Diese Art von Zahlungsanbieter gibt es nicht.' },
  test_key_needed: {
    en: 'In test mode, enter a key of the payment provider’s test mode.',
    de: 'Geben Sie im Testmodus einen Schlüssel aus dem Testmodus des Zahlungsanbieters ein.',
  },
  signing_secret_form: {
    en: 'Must be whsec_ and 24 to 64 bytes in base64, or whpk_ and 32 bytes.',
    de: 'Muss whsec_ und 24 bis 64 Bytes in Base64 sein, oder whpk_ und 32 Bytes.',
  },
  secret_made_at_provider: {
    en: 'Make the new secret at the provider, and enter it as webhook_secret.',
    de: 'Erzeugen Sie das neue Geheimnis beim Zahlungsanbieter, und geben Sie es hier ein.',
  },
  account_connected_already: {
    en: 'This account at the payment provider is connected already, as {connection}.',
    de: 'Dieses Konto beim Zahlungsanbieter ist schon verbunden, als {connection}.',
  },
  no_key_of_provider: { en: 'This is not a key of the payment provider.', de: 'Das ist kein Schlüssel des Zahlungsanbieters.' },
  key_of_another_account: {
    en: 'This key is of another account or mode. Add it as a further connection.',
    de: 'Dieser Schlüssel gehört zu einem anderen Konto oder Modus. Fügen Sie ihn als weitere Verbindung hinzu.',
  },
  key_without_business: { en: 'The key belongs to no business.', de: 'Der Schlüssel gehört zu keinem Unternehmen.' },
  more_than_amount: { en: 'Must not be more than the amount.', de: 'Darf nicht mehr als der Betrag sein.' },
  customer_unnamed: { en: 'Must have an id, an external_id, or an email.', de: 'Braucht eine Kennung oder eine E-Mail-Adresse.' },
  facts_have_no_account: {
    en: 'Signed facts have no account.',
    de: 'Zu signierten Meldungen gehört kein Konto bei einem Anbieter.',
  },
  code_made_at_provider: {
    en: 'Create and change the code at your provider, and tell it as code.seen.',
    de: 'Legen Sie den Code bei Ihrem Anbieter an oder ändern Sie ihn dort, und melden Sie ihn als code.seen.',
  },
  code_not_seen: { en: 'No code.seen has told of this code.', de: 'Dieser Code wurde nicht als code.seen gemeldet.' },
  key_without_store: { en: 'The key knows no store with this ID.', de: 'Der Schlüssel kennt keinen Store mit dieser ID.' },
  token_without_organization: { en: 'The token belongs to no organization.', de: 'Der Token gehört zu keiner Organisation.' },
  provider_unreachable: {
    en: 'The payment provider could not be reached. Try again later.',
    de: 'Der Zahlungsanbieter war nicht erreichbar. Versuchen Sie es später noch einmal.',
  },
  provider_timeout: {
    en: 'The payment provider did not answer in time. Try again later.',
    de: 'Der Zahlungsanbieter hat nicht rechtzeitig geantwortet. Versuchen Sie es später noch einmal.',
  },
  provider_unavailable: {
    en: 'The payment provider failed to answer. Try again later.',
    de: 'Der Zahlungsanbieter konnte nicht antworten. Versuchen Sie es später noch einmal.',
  },
  provider_rate_limited: {
    en: 'The payment provider received too many requests. Try again later.',
    de: 'Der Zahlungsanbieter hat zu viele Anfragen bekommen. Versuchen Sie es später noch einmal.',
  },
  key_not_accepted: {
    en: 'The payment provider does not accept the key. Enter a valid one.',
    de: 'Der Zahlungsanbieter nimmt den Schlüssel nicht an. Geben Sie einen gültigen ein.',
  },
  key_lacks_permission: {
    en: 'The key lacks a permission. Add it at the payment provider.',
    de: 'Dem Schlüssel fehlt eine Berechtigung. Ergänzen Sie sie beim Zahlungsanbieter.',
  },
  answer_unreadable: {
    en: 'The answer of the payment provider could not be read.',
    de: 'Die Antwort des Zahlungsanbieters war nicht lesbar.',
  },
  list_goes_round: {
    en: 'A list of the payment provider goes round in a circle. Try again later.',
    de: 'Eine Liste des Zahlungsanbieters dreht sich im Kreis. Versuchen Sie es später noch einmal.',
  },
  address_not_public: { en: 'This is not a public address.', de: 'Das ist keine öffentliche Adresse.' },
  record_unknown_to_provider: {
    en: 'The payment provider does not know this record.',
    de: 'Der Zahlungsanbieter kennt diesen Eintrag nicht.',
  },
  provider_refused: {
    en: 'The payment provider refused the request ({status}).',
    de: 'Der Zahlungsanbieter hat die Anfrage abgelehnt ({status}).',
  },
  sender_not_known_yet: {
    en: 'The payment provider does not know yet who sent the customer.',
    de: 'Der Zahlungsanbieter weiß noch nicht, wer den Kunden geschickt hat.',
  },
  secret_key_not_accepted: {
    en: 'The payment provider does not accept the secret key. Enter a valid one.',
    de: 'Der Zahlungsanbieter nimmt den geheimen Schlüssel nicht an. Geben Sie einen gültigen ein.',
  },
  deleted_at_provider: { en: 'The {kind} {id} was deleted.', de: 'Das wurde beim Zahlungsanbieter gelöscht.' },
  provider_answer_unreadable: {
    en: 'The payment provider sent an unreadable response. Try again later.',
    de: 'Die Antwort des Zahlungsanbieters war nicht lesbar. Versuchen Sie es später noch einmal.',
  },
  key_lacks_endpoints: {
    en: 'The key lacks the permission Webhook Endpoints (write). Connect with a key that has it.',
    de: 'Dem Schlüssel fehlt das Recht „Webhook Endpoints (write)“. Verbinden Sie das Konto mit einem Schlüssel, der es hat.',
  },
});

/** Why an event has no effect. Stored with the event. */
export const IGNORED = reasons({
  object_unreadable: {
    en: 'An object of the payment provider could not be read.',
    de: 'Ein Objekt des Zahlungsanbieters war nicht lesbar.',
  },
  subscription_without_referral: {
    en: 'The subscription names no referral, and has neither a trial nor a promotion code.',
    de: 'Das Abonnement nennt keine Empfehlung und hat weder eine Testphase noch einen Aktionscode.',
  },
  subscription_change_without_referral: {
    en: 'The subscription names no referral, and has neither a new trial nor a new promotion code.',
    de: 'Das Abonnement nennt keine Empfehlung und hat weder eine neue Testphase noch einen neuen Aktionscode.',
  },
  invoice_without_referral: {
    en: 'Nothing was paid, and the invoice names no referral.',
    de: 'Es wurde nichts bezahlt, und die Rechnung nennt keine Empfehlung.',
  },
  payment_without_referral: {
    en: 'The payment intent names no referral. The event of its charge reports the payment.',
    de: 'Der PaymentIntent nennt keine Empfehlung. Die Zahlung meldet das Ereignis seiner Belastung.',
  },
  charge_only_authorized: {
    en: 'The charge is only authorized. Another event reports when it is captured.',
    de: 'Die Zahlung ist nur reserviert. Ein anderes Ereignis meldet, wenn sie eingezogen wird.',
  },
  change_without_exclusion: {
    en: 'The change does not exclude the payment.',
    de: 'Die Änderung schließt die Zahlung nicht aus.',
  },
  credit_note_without_invoice: { en: 'The credit note belongs to no invoice.', de: 'Die Gutschrift gehört zu keiner Rechnung.' },
  event_of_platform: {
    en: 'The event belongs to the platform’s own account, and not to the connected account {account}.',
    de: 'Das Ereignis gehört zum eigenen Konto der Plattform und nicht zum verbundenen Konto {account}.',
  },
  event_of_other_account: {
    en: 'The event belongs to the connected account {account}.',
    de: 'Das Ereignis gehört zum verbundenen Konto {account}.',
  },
  fields_missing: { en: 'Missing or invalid fields: {fields}.', de: 'Diese Felder fehlen oder sind ungültig: {fields}.' },
  nothing_of_use: { en: 'The event contains nothing of use.', de: 'Das Ereignis enthält nichts, was gebraucht wird.' },
  event_of_other_mode: {
    en: 'The event and the connection are in different modes (live and test).',
    de: 'Das Ereignis und die Verbindung haben verschiedene Modi (Live und Test).',
  },
});
