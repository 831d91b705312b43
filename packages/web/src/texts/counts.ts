import { texts } from './catalogue.ts';

/** Counts of records. */
export const t = texts({
  affiliates: {
    en: { one: '{count} affiliate', other: '{count} affiliates' },
    de: { one: '{count} Partner', other: '{count} Partner' },
  },
  clicks: { en: { one: '{count} click', other: '{count} clicks' }, de: { one: '{count} Klick', other: '{count} Klicks' } },
  commissions: {
    en: { one: '{count} commission', other: '{count} commissions' },
    de: { one: '{count} Provision', other: '{count} Provisionen' },
  },
  contradictedRewards: {
    en: { one: '{count} paid reward that would be different now', other: '{count} paid rewards that would be different now' },
    de: { one: '{count} gezahlte Prämie, die heute anders wäre', other: '{count} gezahlte Prämien, die heute anders wären' },
  },
  conversions: {
    en: { one: '{count} conversion', other: '{count} conversions' },
    de: { one: '{count} Abschluss', other: '{count} Abschlüsse' },
  },
  days: { en: { one: '{count} day', other: '{count} days' }, de: { one: '{count} Tag', other: '{count} Tage' } },
  deliveries: {
    en: { one: '{count} delivery', other: '{count} deliveries' },
    de: { one: '{count} Zustellung', other: '{count} Zustellungen' },
  },
  flaggedCommissions: {
    en: { one: '{count} flagged commission', other: '{count} flagged commissions' },
    de: { one: '{count} markierte Provision', other: '{count} markierte Provisionen' },
  },
  leads: {
    en: { one: '{count} lead', other: '{count} leads' },
    de: { one: '{count} Interessent', other: '{count} Interessenten' },
  },
  links: { en: { one: '{count} link', other: '{count} links' }, de: { one: '{count} Link', other: '{count} Links' } },
  pages: { en: { one: '{count} page', other: '{count} pages' }, de: { one: '{count} Seite', other: '{count} Seiten' } },
  payouts: {
    en: { one: '{count} payout', other: '{count} payouts' },
    de: { one: '{count} Auszahlung', other: '{count} Auszahlungen' },
  },
  promoCodes: {
    en: { one: '{count} promo code', other: '{count} promo codes' },
    de: { one: '{count} Aktionscode', other: '{count} Aktionscodes' },
  },
  records: { en: { one: '{count} record', other: '{count} records' }, de: { one: '{count} Eintrag', other: '{count} Einträge' } },
  referrals: {
    en: { one: '{count} referral', other: '{count} referrals' },
    de: { one: '{count} Empfehlung', other: '{count} Empfehlungen' },
  },
  resources: {
    en: { one: '{count} resource', other: '{count} resources' },
    de: { one: '{count} Bereich', other: '{count} Bereiche' },
  },
  runningSubscriptions: {
    en: { one: '{count} running subscription', other: '{count} running subscriptions' },
    de: { one: '{count} laufendes Abonnement', other: '{count} laufende Abonnements' },
  },
  salesToReview: {
    en: { one: '{count} sale to review', other: '{count} sales to review' },
    de: { one: '{count} zu prüfender Verkauf', other: '{count} zu prüfende Verkäufe' },
  },
  selected: {
    en: { one: '{count} selected', other: '{count} selected' },
    de: { one: '{count} ausgewählt', other: '{count} ausgewählt' },
  },
  unpaidPayouts: {
    en: { one: '{count} unpaid payout', other: '{count} unpaid payouts' },
    de: { one: '{count} unbezahlte Auszahlung', other: '{count} unbezahlte Auszahlungen' },
  },
});
