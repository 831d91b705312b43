import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/counts.ts';

export const counts: TranslationOf<typeof t> = {
  affiliates: { one: '{count} Partner', other: '{count} Partner' },
  clicks: { one: '{count} Klick', other: '{count} Klicks' },
  commissions: { one: '{count} Provision', other: '{count} Provisionen' },
  conversions: { one: '{count} Abschluss', other: '{count} Abschlüsse' },
  days: { one: '{count} Tag', other: '{count} Tage' },
  deliveries: { one: '{count} Zustellung', other: '{count} Zustellungen' },
  flaggedCommissions: { one: '{count} markierte Provision', other: '{count} markierte Provisionen' },
  leads: { one: '{count} Interessent', other: '{count} Interessenten' },
  links: { one: '{count} Link', other: '{count} Links' },
  pages: { one: '{count} Seite', other: '{count} Seiten' },
  payouts: { one: '{count} Auszahlung', other: '{count} Auszahlungen' },
  promoCodes: { one: '{count} Aktionscode', other: '{count} Aktionscodes' },
  records: { one: '{count} Eintrag', other: '{count} Einträge' },
  referrals: { one: '{count} Empfehlung', other: '{count} Empfehlungen' },
  resources: { one: '{count} Bereich', other: '{count} Bereiche' },
  runningSubscriptions: { one: '{count} laufendes Abonnement', other: '{count} laufende Abonnements' },
  selected: { one: '{count} ausgewählt', other: '{count} ausgewählt' },
  unpaidPayouts: { one: '{count} unbezahlte Auszahlung', other: '{count} unbezahlte Auszahlungen' },
};
