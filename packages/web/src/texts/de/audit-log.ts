import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/audit-log.ts';

export const auditLog: TranslationOf<typeof t> = {
  action: 'Aktion',
  all: 'Alle',
  area: 'Bereich',
  auditLog: 'Protokoll',
  by_api_key: 'API-Schlüssel',
  by_connector: 'KI-Assistent',
  by_session: 'Mitglied',
  by_system: 'Der Dienst selbst',
  caller: 'Durch',
  cutOff: 'Abgebrochen',
  description:
    'Änderungen durch Mitglieder und KI-Assistenten, Änderungen der Einstellungen durch API-Schlüssel und Anmeldungen, 400 Tage lang.',
  details: 'Einzelheiten',
  everyone: 'Alle Personen',
  latest: 'Zurück zu den neuesten',
  nothing: 'Keine Einträge',
  nothingHint: 'Nichts passt zu diesen Filtern.',
  older: 'Ältere Einträge',
  outcome: 'Ergebnis',
  person: 'Person',
  preview: 'Vorschau, nichts geändert',
  replayed: 'Wiederholt',
  request: 'Anfrage',
  show: 'Anzeigen',
  time: 'Zeit',
};
