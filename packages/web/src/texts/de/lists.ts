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
  select: 'Auswählen',
  selectAllOfPage: 'Alle auf dieser Seite auswählen',
  selection: 'Auswahl',
  since: 'Seit',
  sortedBy: 'Sortiert nach',
  timesAreIn: 'Zeiten in der Zeitzone {timeZone}.',
  until: 'Bis',
  view: 'Ansicht',
};
