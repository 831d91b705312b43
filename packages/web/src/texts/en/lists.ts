import { params, texts } from '../catalogue.ts';

export const t = texts('lists', {
  all: 'All',
  amountFrom: 'Amount from',
  amountTo: 'Amount to',
  ascending: params('{column}, ascending'),
  changedAll: params('Changed: {done}.'),
  changedSome: params('Changed: {done}. Not changed, and still selected: {left}.'),
  clearFilters: 'Clear filters',
  clearSelection: 'Clear selection',
  columns: 'Columns',
  currency: 'Currency',
  descending: params('{column}, descending'),
  downloadCsv: 'Download CSV',
  moreFilters: 'More filters',
  selection: 'Selection',
  since: 'Since',
  sortedBy: 'Sorted by',
  timesAreIn: params('Times are in {timeZone}.'),
  until: 'Until',
  view: 'View',
});
