import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  keys: { en: 'Keys', de: 'Tasten' },
  link: { en: 'Link code', de: 'Linkcode' },
  openAffiliates: { en: 'Open affiliates', de: 'Partner öffnen' },
  openAnalytics: { en: 'Open analytics', de: 'Analysen öffnen' },
  openCommissions: { en: 'Open commissions', de: 'Provisionen öffnen' },
  openCustomers: { en: 'Open customers', de: 'Kunden öffnen' },
  openOverview: { en: 'Open the overview', de: 'Übersicht öffnen' },
  openPayouts: { en: 'Open payouts', de: 'Auszahlungen öffnen' },
  openReview: { en: 'Open the review queue', de: 'Prüfliste öffnen' },
  openSales: { en: 'Open sales', de: 'Verkäufe öffnen' },
  page: { en: 'Page', de: 'Seite' },
  payout_run: { en: 'Payout run', de: 'Auszahlungslauf' },
  promo_code: { en: 'Promo code', de: 'Gutscheincode' },
  searchFor: { en: 'Name, address, code or ID', de: 'Name, Adresse, Code oder ID' },
  searchHint: {
    en: 'A page, the start of a name or email address, or a whole link code, promo code, order ID, ID of Stripe, or payment reference.',
    de: 'Eine Seite, der Anfang eines Namens oder einer E-Mail-Adresse, oder ein ganzer Linkcode, Gutscheincode, eine Bestellnummer, eine ID von Stripe oder eine Zahlungsreferenz.',
  },
  searchKeys: { en: 'Ctrl K or ⌘ K', de: 'Strg K oder ⌘ K' },
  searchResults: { en: 'Search results', de: 'Suchergebnisse' },
  shortcuts: { en: 'Keyboard shortcuts', de: 'Tastenkürzel' },
  showShortcuts: { en: 'Show this list', de: 'Diese Liste zeigen' },
  singleKeys: { en: 'Use single-key shortcuts', de: 'Kürzel aus einzelnen Tasten verwenden' },
  results: {
    en: { one: '{count} result', other: '{count} results' },
    de: { one: '{count} Ergebnis', other: '{count} Ergebnisse' },
  },
});
