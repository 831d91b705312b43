import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const CODE_REASONS = reasons({
  affiliate_has_coupon: { en: 'The affiliate already has a coupon.', de: 'Der Partner hat schon einen Gutschein.' },
  code_or_active: { en: 'Send `code`, `active`, or both.', de: 'Ändern Sie den Code, oder schalten Sie ihn ein oder aus.' },
  coupon_of_other_mode: {
    en: 'The coupon and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the coupon.',
    de: 'Der Gutschein und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Gutscheins.',
  },
  campaign_without_coupon: {
    en: 'The affiliate’s campaign has no coupon of the payment provider. Set the campaign’s psp_coupon_id first.',
    de: 'Die Kampagne des Partners hat keinen Gutschein des Zahlungsanbieters. Tragen Sie ihn zuerst bei der Kampagne ein.',
  },
  new_code_assigned_meanwhile: {
    en: 'Another request has just assigned the new promotion code. Check the affiliate’s codes before you try again.',
    de: 'Der neue Aktionscode wurde gerade schon zugeordnet. Sehen Sie sich die Codes des Partners an, bevor Sie es noch einmal versuchen.',
  },
  code_assigned_meanwhile: {
    en: 'Another request just assigned this promotion code.',
    de: 'Dieser Aktionscode wurde gerade schon zugeordnet.',
  },
  idempotency_key_required: {
    en: 'Required when dry_run is false. Choose a unique value, and send the same value when you retry.',
    de: 'Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  },
  operation_of_other_mode: {
    en: 'The operation and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the operation.',
    de: 'Der Vorgang und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Vorgangs.',
  },
  required_to_create: { en: 'Required to create a code.', de: 'Für einen neuen Code bitte ausfüllen.' },
  required_unless_create: { en: 'Required unless a code is created.', de: 'Wählen Sie einen vorhandenen Code.' },
  not_when_creating: { en: 'Not allowed when a code is created.', de: 'Beim Anlegen eines neuen Codes nicht möglich.' },
  only_when_creating: { en: 'Only allowed when a code is created.', de: 'Nur beim Anlegen eines neuen Codes möglich.' },
  code_assigned_already: {
    en: 'The affiliate already has this promotion code.',
    de: 'Der Partner hat diesen Aktionscode schon.',
  },
  key_of_live_mode: {
    en: 'The account is connected to the payment provider’s test mode, but this API key is of live mode.',
    de: 'Das Konto ist mit dem Testmodus des Zahlungsanbieters verbunden, dieser API-Schlüssel gehört aber zum Livemodus.',
  },
  affiliate_not_active: {
    en: 'The affiliate is not active. Activate the affiliate first.',
    de: 'Der Partner ist nicht aktiv. Aktivieren Sie ihn zuerst.',
  },
  campaign_of_affiliate_archived: {
    en: 'The affiliate’s campaign is archived. Restore it, or move the affiliate to another campaign first.',
    de: 'Die Kampagne des Partners ist archiviert. Stellen Sie sie wieder her, oder wählen Sie für den Partner eine andere.',
  },
  code_gone: {
    en: 'The payment provider no longer has this promotion code.',
    de: 'Beim Zahlungsanbieter gibt es diesen Aktionscode nicht mehr.',
  },
  own_code_unknown_to_provider: {
    en: 'This is a code of your own shop. No payment provider knows it.',
    de: 'Das ist ein Code Ihres eigenen Shops. Kein Zahlungsanbieter kennt ihn.',
  },
  code_of_other_mode: {
    en: 'The promotion code and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the code.',
    de: 'Der Aktionscode und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Codes.',
  },
  no_code_with_id: {
    en: 'The payment provider has no promotion code with this ID in this mode (live or test).',
    de: 'Beim Zahlungsanbieter gibt es in diesem Modus (Live oder Test) keinen Aktionscode mit dieser ID.',
  },
  code_not_of_connected_mode: {
    en: 'The promotion code and the connection to the payment provider are in different modes (live and test). Choose a code of the connected mode.',
    de: 'Der Aktionscode und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Wählen Sie einen Code des verbundenen Modus.',
  },
  no_coupon_with_id: {
    en: 'The payment provider has no coupon with this ID in this mode (live or test).',
    de: 'Beim Zahlungsanbieter gibt es in diesem Modus (Live oder Test) keinen Gutschein mit dieser ID.',
  },
  coupon_not_redeemable: {
    en: 'The coupon can no longer be redeemed. Choose another coupon.',
    de: 'Der Gutschein lässt sich nicht mehr einlösen. Wählen Sie einen anderen.',
  },
  code_text_taken: {
    en: 'The payment provider already has an active promotion code with this text. Choose another text.',
    de: 'Beim Zahlungsanbieter gibt es schon einen aktiven Aktionscode mit diesem Text. Wählen Sie einen anderen.',
  },
  code_of_other_affiliate: {
    en: 'This promotion code belongs to another affiliate. Codes cannot be transferred.',
    de: 'Dieser Aktionscode gehört einem anderen Partner. Codes lassen sich nicht übertragen.',
  },
  code_not_tracked: {
    en: 'Tracking of this promotion code was stopped. A code cannot be reactivated.',
    de: 'Dieser Aktionscode wird nicht mehr verfolgt und lässt sich nicht wieder aktivieren.',
  },
  codes_of_name_taken: {
    en: 'Enter a code, because all codes made from the name are taken.',
    de: 'Geben Sie einen Code ein, denn alle Codes aus dem Namen sind vergeben.',
  },
  code_is_coupon: {
    en: 'This promotion code is already the affiliate’s coupon.',
    de: 'Dieser Aktionscode ist schon der Gutschein des Partners.',
  },
  code_inactive: {
    en: 'The payment provider does not currently redeem this code.',
    de: 'Der Zahlungsanbieter löst diesen Code zurzeit nicht ein.',
  },
  code_of_one_customer: { en: 'Only one customer can redeem this code.', de: 'Nur ein Kunde kann diesen Code einlösen.' },
  code_form: {
    en: 'Use letters, digits, and hyphens only, e.g. JANE20.',
    de: 'Verwenden Sie nur Buchstaben, Ziffern und Bindestriche, z. B. JANE20.',
  },
});
