import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const INTAKE_REASONS = reasons({
  sale_of_test_mode: {
    en: 'This sale is of test mode, which a key of live mode does not see.',
    de: 'Dieser Verkauf gehört zum Testmodus, den ein Schlüssel des Livemodus nicht sieht.',
  },
  payment_reported_before: {
    en: 'This payment was reported before, under another external_id. Use that external_id.',
    de: 'Diese Zahlung wurde schon unter einer anderen externen ID gemeldet. Verwenden Sie diese.',
  },
  sale_reported_otherwise: {
    en: 'A sale with this external_id was reported with other values ({fields}). The stored sale is in details.sale. To correct it, change its amounts (PATCH /api/v1/sales/{id}), report a refund (POST /track/refunds), adjust what the affiliate earned with a manual commission (POST /api/v1/commissions), or change the customer (PATCH /api/v1/referrals/{id}). Report another sale under its own external_id.',
    de: 'Ein Verkauf mit dieser externen ID wurde schon mit anderen Werten gemeldet. Ändern Sie den gespeicherten Verkauf.',
  },
  sale_unattributed: {
    en: 'Send at least one of referral_id, customer_email, psp_customer_id, external_customer_id and promo_code.',
    de: 'Nennen Sie die Empfehlung, den Kunden oder den Aktionscode.',
  },
  more_than_amount_without_tax: {
    en: 'Must not exceed amount_cents without the tax.',
    de: 'Darf nicht größer als der Betrag ohne Steuer sein.',
  },
  more_than_amount: { en: 'Must not exceed amount_cents.', de: 'Darf nicht größer als der Betrag sein.' },
  no_sale_with_external_id: {
    en: 'No sale has this external_id. Report the sale first.',
    de: 'Kein Verkauf hat diese externe ID. Melden Sie zuerst den Verkauf.',
  },
  refund_reported_otherwise: {
    en: 'A refund with this refund_id was reported with another amount_cents. The stored refund is in details.refund. To refund more, report another refund under its own refund_id. To correct what the affiliate earned, enter a manual commission (POST /api/v1/commissions).',
    de: 'Diese Erstattung wurde schon mit einem anderen Betrag gemeldet. Melden Sie weitere Erstattungen unter einer eigenen ID.',
  },
  no_event: {
    en: 'The signature is valid, but the body is not an event of the payment provider.',
    de: 'Die Signatur stimmt, aber der Inhalt ist kein Ereignis des Zahlungsanbieters.',
  },
  refund_of_other_sale: { en: 'This refund belongs to another sale.', de: 'Diese Erstattung gehört zu einem anderen Verkauf.' },
  refunds_exceed_charge: {
    en: 'All refunds of this sale together would exceed its charge.',
    de: 'Alle Erstattungen dieses Verkaufs zusammen wären höher als die Zahlung.',
  },
  lines_exceed_amount: {
    en: 'The lines must not add up to more than amount_cents.',
    de: 'Die Zeilen dürfen zusammen nicht mehr als den Betrag ergeben.',
  },
  lines_unknown: {
    en: 'The lines of this sale are not known. Report the refund without lines.',
    de: 'Die Zeilen dieses Verkaufs sind nicht bekannt. Melden Sie die Erstattung ohne Zeilen.',
  },
  no_line_of_product: { en: 'The sale has no line with this product.', de: 'Der Verkauf hat keine Zeile mit diesem Produkt.' },
  refunds_exceed_lines: {
    en: 'The refunds of this product would exceed its lines.',
    de: 'Die Erstattungen dieses Produkts wären höher als seine Zeilen.',
  },
  no_affiliate_has_code: {
    en: 'No affiliate has the code {code}. Assign the code to an affiliate, then report the sale again.',
    de: 'Kein Affiliate hat den Code {code}. Weisen Sie ihn zu, und melden Sie den Verkauf dann noch einmal.',
  },
  sale_changed: {
    en: 'This sale has changed since you looked at it. Look at it again.',
    de: 'Der Verkauf hat sich inzwischen geändert. Sehen Sie ihn sich noch einmal an.',
  },
  referral_of_other_customer: {
    en: 'This referral already belongs to another customer.',
    de: 'Diese Empfehlung gehört schon zu einem anderen Kunden.',
  },
  amounts_of_provider: {
    en: 'The amounts of this sale come from the payment provider. Change the payment there, e.g. by a refund or another invoice.',
    de: 'Die Beträge dieses Verkaufs kommen vom Zahlungsanbieter. Ändern Sie die Zahlung dort, z. B. durch eine Erstattung oder eine weitere Rechnung.',
  },
  currency_fixed: {
    en: 'The currency of a sale cannot change from {currency}. Refund this sale, and report another one.',
    de: 'Die Währung {currency} eines Verkaufs lässt sich nicht ändern. Erstatten Sie diesen Verkauf, und melden Sie einen neuen.',
  },
  less_than_refunds: {
    en: 'Must not be less than the refunds of this sale.',
    de: 'Darf nicht kleiner als die Erstattungen dieses Verkaufs sein.',
  },
  only_in_test_mode: { en: 'This works only in test mode. Use an API key of test mode.', de: 'Das geht nur im Testmodus.' },
  copies_live_campaigns: {
    en: 'A credential of test mode does not reach live campaigns. Use a key without a mode, or let an admin copy them on the pages.',
    de: 'Zugänge des Testmodus erreichen keine Livekampagnen. Nehmen Sie einen Schlüssel ohne Modus, oder lassen Sie sie von einem Admin auf den Seiten kopieren.',
  },
  days_or_to: { en: 'Give either days or to.', de: 'Geben Sie entweder Tage oder einen Zeitpunkt an.' },
  clock_only_forward: {
    en: 'The test clock shows {shown}. It can only be moved forward.',
    de: 'Die Testuhr lässt sich nur vorstellen.',
  },
  clock_step_too_large: {
    en: 'The test clock can be moved by at most 366 days at once.',
    de: 'Die Testuhr lässt sich auf einmal um höchstens 366 Tage vorstellen.',
  },
  clock_too_far_ahead: {
    en: 'The test clock can be at most ten years ahead. Delete the test data, which sets it back.',
    de: 'Die Testuhr darf höchstens zehn Jahre vorgehen. Löschen Sie die Testdaten, dann wird sie zurückgestellt.',
  },
  records_being_added: {
    en: 'Records are being added in test mode. Stop the programs that add them, and try again.',
    de: 'Im Testmodus kommen gerade Datensätze hinzu. Halten Sie die Programme an, die sie hinzufügen, und versuchen Sie es noch einmal.',
  },
  test_key_needed: {
    en: 'A test purchase needs a key of the provider’s test mode, e.g. rk_test_…. The connected key is live.',
    de: 'Ein Testkauf braucht einen Schlüssel des Testmodus des Anbieters, z. B. rk_test_…. Der verbundene Schlüssel gehört zum Livemodus.',
  },
  no_earning_link: {
    en: 'No link can earn. Create an active affiliate with a link first.',
    de: 'Kein Link kann etwas verdienen. Legen Sie zuerst einen aktiven Partner mit einem Link an.',
  },
  key_lacks_checkout: {
    en: 'The key lacks the permission Checkout Sessions (write). Add it to the key at the payment provider.',
    de: 'Dem Schlüssel fehlt das Recht „Checkout Sessions (write)“. Fügen Sie es beim Zahlungsanbieter hinzu.',
  },
  token_or_passed_referral: { en: 'Send token, passed_referral_id, or both.', de: 'Dieser Besuch nennt keinen Link.' },
});
