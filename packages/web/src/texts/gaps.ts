import { texts } from './catalogue.ts';

export const t = texts({
  affiliate_inactive: {
    en: 'The affiliate was not active. Activate the affiliate, and decide again.',
    de: 'Der Partner war nicht aktiv. Aktivieren Sie den Partner, und entscheiden Sie neu.',
  },
  before_visit: {
    en: 'The customer paid before the first click on the affiliate’s link. Only a report that names the referral counts then.',
    de: 'Der Kunde bezahlte vor dem ersten Klick auf den Partnerlink. Dann zählt nur eine Meldung, die die Empfehlung nennt.',
  },
  campaign_archived: {
    en: 'The campaign was archived. Restore the campaign, and decide again.',
    de: 'Die Kampagne war archiviert. Stellen Sie die Kampagne wieder her, und entscheiden Sie neu.',
  },
  checkout: { en: 'The checkout had no client_reference_id.', de: 'Der Checkout hatte keine client_reference_id.' },
  code: { en: 'This line would have made it count:', de: 'Mit dieser Zeile hätte die Zahlung gezählt:' },
  commission_period_over: {
    en: 'The period in which the campaign pays commissions was over.',
    de: 'Der Zeitraum, in dem die Kampagne Provisionen zahlt, war vorbei.',
  },
  excluded: {
    en: 'The metadata of the payment or its customer say that nobody earns. Remove the key from the metadata.',
    de: 'Laut den Metadaten der Zahlung oder des Kunden verdient niemand. Entfernen Sie den Schlüssel aus den Metadaten.',
  },
  invoice: {
    en: 'Neither the invoice nor its customer names a referral in the metadata.',
    de: 'Weder die Rechnung noch ihr Kunde nennt in den Metadaten eine Empfehlung.',
  },
  max_commissions_reached: {
    en: 'The campaign’s number of commissions per referral was reached.',
    de: 'Die Höchstzahl an Provisionen je Empfehlung war erreicht.',
  },
  missing: { en: 'What was missing', de: 'Was gefehlt hat' },
  named_later: {
    en: 'The referral was named only at {at}, after this payment. Name it before the customer pays.',
    de: 'Die Empfehlung wurde erst am {at} genannt, nach dieser Zahlung. Nennen Sie sie, bevor der Kunde bezahlt.',
  },
  shadow: {
    en: 'Your former tool still decided at the time of the payment what sales earn.',
    de: 'Zur Zeit der Zahlung entschied noch Ihr bisheriges Werkzeug, was Verkäufe einbringen.',
  },
  nothing_to_earn: {
    en: 'No amount was left to earn from, or the campaign paid nothing.',
    de: 'Es war nichts mehr übrig, woran verdient werden könnte, oder die Kampagne zahlte nichts.',
  },
  paid_outside: {
    en: 'The invoice was marked as paid outside the payment provider, and by your settings nobody earns from such payments.',
    de: 'Die Rechnung wurde als außerhalb des Zahlungsanbieters bezahlt markiert. Nach Ihren Einstellungen verdient daran niemand.',
  },
  payment: {
    en: 'Neither the payment nor its customer names a referral in the metadata.',
    de: 'Weder die Zahlung noch ihr Kunde nennt in den Metadaten eine Empfehlung.',
  },
  payment_link: {
    en: 'The payment link was opened without client_reference_id.',
    de: 'Der Zahlungslink wurde ohne client_reference_id geöffnet.',
  },
  referral_deactivated: {
    en: 'The referral was deactivated. Activate the referral, and decide again.',
    de: 'Die Empfehlung war deaktiviert. Aktivieren Sie die Empfehlung, und entscheiden Sie neu.',
  },
  referral_expired: {
    en: 'The referral had expired. The campaign decides after how many days.',
    de: 'Die Empfehlung war abgelaufen. Die Kampagne bestimmt, nach wie vielen Tagen.',
  },
  report: {
    en: 'The report named neither a referral nor the promo code of an affiliate.',
    de: 'Die Meldung nannte weder eine Empfehlung noch den Gutscheincode eines Partners.',
  },
  setting: { en: 'This setting decides about it:', de: 'Diese Einstellung entscheidet darüber:' },
  subscription: {
    en: 'Neither the subscription nor its customer names a referral in the metadata.',
    de: 'Weder das Abonnement noch sein Kunde nennt in den Metadaten eine Empfehlung.',
  },
  unknown_reference: {
    en: 'The reference “{reference}” is neither the ID of a referral nor the code of a link that can earn.',
    de: 'Die Referenz „{reference}“ ist weder die ID einer Empfehlung noch der Code eines Links, der verdienen kann.',
  },
  unknownCodes: {
    en: 'Redeemed promotion codes that belong to no affiliate: {codes}',
    de: 'Eingelöste Gutscheincodes, die keinem Partner gehören: {codes}',
  },
});
