import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  changeSinceBefore: { en: 'On the period before', de: 'Zum Zeitraum davor' },
  customRange: { en: 'Custom range', de: 'Eigener Zeitraum' },
  customRangeShort: { en: 'Custom range…', de: 'Eigener Zeitraum…' },
  debts: { en: 'Owed by affiliates', de: 'Schulden von Partnern' },
  fallingDue: { en: 'Falling due by month', de: 'Fällig nach Monat' },
  figuresByDay: { en: 'Figures by day', de: 'Kennzahlen je Tag' },
  labelOfCount: { en: '{label} ({count})', de: '{label} ({count})' },
  lastDays: { en: { one: 'Last day', other: 'Last {count} days' }, de: { one: 'Letzter Tag', other: 'Letzte {count} Tage' } },
  moneyOf: {
    en: 'sales by affiliates of {sales}, commissions of {commissions}, payouts of {payouts}',
    de: 'Verkäufe durch Partner {sales}, Provisionen {commissions}, Auszahlungen {payouts}',
  },
  noClicks: {
    en: 'No clicks in these days. Visitors come through the {links} of affiliates.',
    de: 'Keine Klicks in diesen Tagen. Besucher kommen über die {links} der Partner.',
  },
  noReferrals: {
    en: 'No visitors have become customers in these days.',
    de: 'In diesen Tagen wurden keine Besucher zu Kunden.',
  },
  noRevenue: {
    en: 'No sales by affiliates in these days. They come from {stripe}, from your server, or by hand.',
    de: 'Keine Verkäufe durch Partner in diesen Tagen. Sie kommen von {stripe}, von Ihrem Server oder von Hand.',
  },
  noSales: { en: 'No sales in {currency} in this date range.', de: 'Keine Verkäufe in {currency} in diesem Zeitraum.' },
  notDueYet: { en: 'Commissions not due yet', de: 'Noch nicht fällige Provisionen' },
  nothingBefore: { en: 'New', de: 'Neu' },
  nothingFallsDue: { en: 'No commissions are pending.', de: 'Keine Provision steht aus.' },
  nothingHappenedYet: { en: 'Nothing has happened yet.', de: 'Noch ist nichts geschehen.' },
  nothingOwed: {
    en: 'No payouts owed. Commissions appear here when sales come in.',
    de: 'Keine Auszahlungen offen. Provisionen erscheinen hier, sobald Verkäufe eingehen.',
  },
  nothingToReview: {
    en: 'Nothing to review. Flagged commissions and pending affiliates appear here.',
    de: 'Nichts zu prüfen. Markierte Provisionen und wartende Partner erscheinen hier.',
  },
  payoutsOwed: { en: 'Payouts owed', de: 'Offene Auszahlungen' },
  pending: { en: 'Pending payouts', de: 'Wartende Auszahlungen' },
  perDay: { en: 'Per day from {from} to {to}: {facts}.', de: 'Je Tag vom {from} bis {to}: {facts}.' },
  perWeek: { en: 'Per week from {from} to {to}: {facts}.', de: 'Je Woche vom {from} bis {to}: {facts}.' },
  processing: { en: 'Processing', de: 'In Arbeit' },
  range: { en: 'Range', de: 'Zeitraum' },
  recentActivity: { en: 'Recent activity', de: 'Letzte Ereignisse' },
  salesByAffiliates: { en: 'Sales by affiliates', de: 'Verkäufe durch Partner' },
  salesCount: { en: 'Sales count', de: 'Zahl der Verkäufe' },
  showAsTable: { en: '{title}: show as table', de: '{title}: als Tabelle zeigen' },
  theirLinks: { en: 'links', de: 'Links' },
  to: { en: 'To', de: 'Bis' },
  topAffiliates: { en: 'Top affiliates', de: 'Beste Partner' },
  underReview: { en: 'Under review', de: 'In Prüfung' },
  when: { en: 'When', de: 'Wann' },
});
