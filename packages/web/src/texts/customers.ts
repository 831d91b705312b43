import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  allSales: { en: 'All sales', de: 'Alle Verkäufe' },
  attributed: { en: 'With an affiliate', de: 'Mit Partner' },
  attribution: { en: 'Attribution', de: 'Zuordnung' },
  converted: { en: 'Converted', de: 'Erster Verkauf' },
  customersComeFrom: {
    en: 'Payment providers, reported sales, and leads of your website create customers.',
    de: 'Zahlungsdienste, gemeldete Verkäufe und Interessenten Ihrer Website legen Kunden an.',
  },
  customersMeaning: {
    en: 'People who paid, or who left their email address.',
    de: 'Personen, die bezahlt oder ihre Adresse hinterlassen haben.',
  },
  deactivated: { en: 'Deactivated', de: 'Deaktiviert' },
  net: { en: 'Net', de: 'Netto' },
  noCustomers: { en: 'No customers', de: 'Keine Kunden' },
  noneMatches: { en: 'Nothing matches these filters.', de: 'Nichts entspricht diesen Filtern.' },
  noReferrals: { en: 'No referrals', de: 'Keine Empfehlungen' },
  noSales: { en: 'No sales', de: 'Keine Verkäufe' },
  notAttributed: { en: 'Without an affiliate', de: 'Ohne Partner' },
  promoCode: { en: 'Promo code', de: 'Gutscheincode' },
  recorded: { en: 'Recorded', de: 'Erfasst' },
  referralNamed: { en: 'Referral {id}', de: 'Empfehlung {id}' },
  referralsComeFrom: {
    en: 'Clicks on the links of affiliates create referrals.',
    de: 'Klicks auf die Links der Partner legen Empfehlungen an.',
  },
  referralsMeaning: { en: 'Visitors that affiliates sent.', de: 'Besucher, die Partner geschickt haben.' },
  partRefunded: { en: 'Partly refunded', de: 'Teilweise erstattet' },
  saleNamed: { en: 'Sale {name}', de: 'Verkauf {name}' },
  salesComeFrom: {
    en: 'Connect a payment provider, or report sales with the API.',
    de: 'Verbinden Sie einen Zahlungsdienst, oder melden Sie Verkäufe über die API.',
  },
  salesMeaning: {
    en: 'All recorded charges, including those that earned no commission.',
    de: 'Alle erfassten Zahlungen, auch solche, an denen kein Partner verdient hat.',
  },
  startOfEmail: { en: 'Start of the email address', de: 'Anfang der E-Mail-Adresse' },
  stripeCharge: { en: 'Stripe charge', de: 'Zahlung bei Stripe' },
  outsideCounted: { en: 'Yes. It earns like any other sale.', de: 'Ja. Er zählt wie jeder andere Verkauf.' },
  outsideExcluded: {
    en: 'Yes. By your settings, nobody earns from it.',
    de: 'Ja. Nach Ihren Einstellungen verdient niemand daran.',
  },
  paidOutside: { en: 'Paid outside Stripe', de: 'Außerhalb von Stripe bezahlt' },
  stripeId: { en: 'Stripe customer ID', de: 'Stripe-Kundennummer' },
  stripeInvoice: { en: 'Stripe invoice', de: 'Rechnung bei Stripe' },
  tax: { en: 'Tax', de: 'Steuer' },
  trialUntil: { en: 'Trial until', de: 'Testphase bis' },
  unnamed: { en: 'A customer without a name', de: 'Ein Kunde ohne Namen' },
  whatItEarns: { en: 'What it earns', de: 'Was er einbringt' },
  yourId: { en: 'Your ID', de: 'Ihre ID' },
});
