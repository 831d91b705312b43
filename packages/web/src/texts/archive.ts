import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  archivedLinks: { en: 'Archived links', de: 'Archivierte Links' },
  hideArchivedLinks: { en: 'Hide archived links', de: 'Archivierte Links ausblenden' },
  noneArchived: { en: 'Nothing is archived', de: 'Nichts ist archiviert' },
  notArchived: { en: 'Not archived', de: 'Nicht archiviert' },
  restore: { en: 'Restore', de: 'Wiederherstellen' },
  restored: { en: '{name} is restored.', de: '{name} ist wiederhergestellt.' },
  restoreOf: { en: 'Restore: {name}', de: 'Wiederherstellen: {name}' },
  showArchivedLinks: { en: 'Show archived links', de: 'Archivierte Links anzeigen' },
});
