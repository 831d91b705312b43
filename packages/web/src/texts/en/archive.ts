import { params, texts } from '../catalogue.ts';

export const t = texts('archive', {
  actions: 'Actions',
  archived: 'Archived',
  archivedLinks: 'Archived links',
  hideArchivedLinks: 'Hide archived links',
  link: 'Link',
  noneArchived: 'Nothing is archived',
  notArchived: 'Not archived',
  restore: 'Restore',
  restored: params('{name} is restored.'),
  restoreOf: params('Restore: {name}'),
  show: 'Show',
  showArchivedLinks: 'Show archived links',
});
