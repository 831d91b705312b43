import { texts } from './catalogue.ts';

export const t = texts({
  actions: { en: 'Actions', de: 'Aktionen' },
  archived: { en: 'Archived', de: 'Archiviert' },
  archivedLinks: { en: 'Archived links', de: 'Archivierte Links' },
  hideArchivedLinks: { en: 'Hide archived links', de: 'Archivierte Links ausblenden' },
  link: { en: 'Link', de: 'Link' },
  noneArchived: { en: 'Nothing is archived', de: 'Nichts ist archiviert' },
  notArchived: { en: 'Not archived', de: 'Nicht archiviert' },
  restore: { en: 'Restore', de: 'Wiederherstellen' },
  restored: { en: '{name} is restored.', de: '{name} ist wiederhergestellt.' },
  restoreOf: { en: 'Restore: {name}', de: 'Wiederherstellen: {name}' },
  show: { en: 'Show', de: 'Anzeigen' },
  showArchivedLinks: { en: 'Show archived links', de: 'Archivierte Links anzeigen' },
});
