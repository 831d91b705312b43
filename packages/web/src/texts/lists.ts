import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  amountFrom: { en: 'Amount from', de: 'Betrag ab' },
  amountTo: { en: 'Amount to', de: 'Betrag bis' },
  ascending: { en: '{column}, ascending', de: '{column}, aufsteigend' },
  changedAll: { en: 'Changed: {done}.', de: 'Geändert: {done}.' },
  changedSome: {
    en: 'Changed: {done}. Not changed, and still selected: {left}.',
    de: 'Geändert: {done}. Nicht geändert und weiterhin ausgewählt: {left}.',
  },
  clearFilters: { en: 'Clear filters', de: 'Filter entfernen' },
  clearSelection: { en: 'Clear selection', de: 'Auswahl aufheben' },
  columns: { en: 'Columns', de: 'Spalten' },
  descending: { en: '{column}, descending', de: '{column}, absteigend' },
  downloaded: { en: 'Downloaded: {name}', de: 'Heruntergeladen: {name}' },
  downloadCsv: { en: 'Download CSV', de: 'CSV herunterladen' },
  moreFilters: { en: 'More filters', de: 'Weitere Filter' },
  nextRecord: { en: 'Next record', de: 'Nächster Eintrag' },
  notSortedByAmount: { en: 'Not sorted by amount', de: 'Nicht nach Betrag sortiert' },
  onlyIn: { en: 'Only {currency}', de: 'Nur {currency}' },
  openPage: { en: 'Open page', de: 'Seite öffnen' },
  position: { en: '{at} of {count}', de: '{at} von {count}' },
  previousRecord: { en: 'Previous record', de: 'Vorheriger Eintrag' },
  select: { en: 'Select', de: 'Auswählen' },
  selectAllOfPage: { en: 'Select all on this page', de: 'Alle auf dieser Seite auswählen' },
  selection: { en: 'Selection', de: 'Auswahl' },
  severalCurrencies: {
    en: 'Amounts in several currencies can’t be compared. Filter by a currency to sort by amount.',
    de: 'Beträge in mehreren Währungen lassen sich nicht vergleichen. Filtern Sie nach einer Währung, um nach Betrag zu sortieren.',
  },
  sortedBy: { en: 'Sorted by', de: 'Sortiert nach' },
  timesAreIn: { en: 'Times are in {timeZone}.', de: 'Zeiten in der Zeitzone {timeZone}.' },
  tooManyToSort: {
    en: 'Up to {most} records can be sorted by amount. Narrow the list with filters first.',
    de: 'Bis zu {most} Einträge lassen sich nach Betrag sortieren. Schränken Sie die Liste zuerst mit Filtern ein.',
  },
  until: { en: 'Until', de: 'Bis' },
  usualOrder: { en: 'Usual order', de: 'Übliche Reihenfolge' },
  view: { en: 'View', de: 'Ansicht' },
});
