import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/lists.ts';

export const lists: TranslationOf<typeof t> = {
  all: 'Alle',
  amountFrom: 'Betrag ab',
  amountTo: 'Betrag bis',
  ascending: '{column}, aufsteigend',
  changedAll: 'Geändert: {done}.',
  changedSome: 'Geändert: {done}. Nicht geändert und weiterhin ausgewählt: {left}.',
  clearFilters: 'Filter entfernen',
  clearSelection: 'Auswahl aufheben',
  columns: 'Spalten',
  currency: 'Währung',
  descending: '{column}, absteigend',
  downloadCsv: 'CSV herunterladen',
  moreFilters: 'Weitere Filter',
  notSortedByAmount: 'Nicht nach Betrag sortiert',
  onlyIn: 'Nur {currency}',
  select: 'Auswählen',
  selectAllOfPage: 'Alle auf dieser Seite auswählen',
  selection: 'Auswahl',
  severalCurrencies:
    'Beträge in mehreren Währungen lassen sich nicht vergleichen. Filtern Sie nach einer Währung, um nach Betrag zu sortieren.',
  since: 'Seit',
  sortedBy: 'Sortiert nach',
  timesAreIn: 'Zeiten in der Zeitzone {timeZone}.',
  tooManyToSort: 'Bis zu {most} Einträge lassen sich nach Betrag sortieren. Schränken Sie die Liste zuerst mit Filtern ein.',
  until: 'Bis',
  usualOrder: 'Übliche Reihenfolge',
  view: 'Ansicht',
};
