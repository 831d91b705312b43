import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/archive.ts';

export const archive: TranslationOf<typeof t> = {
  actions: 'Aktionen',
  archived: 'Archiviert',
  archivedLinks: 'Archivierte Links',
  hideArchivedLinks: 'Archivierte Links ausblenden',
  link: 'Link',
  noneArchived: 'Nichts ist archiviert',
  notArchived: 'Nicht archiviert',
  restore: 'Wiederherstellen',
  restored: '{name} ist wiederhergestellt.',
  restoreOf: 'Wiederherstellen: {name}',
  show: 'Anzeigen',
  showArchivedLinks: 'Archivierte Links anzeigen',
};
