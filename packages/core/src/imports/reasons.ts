import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const IMPORT_REASONS = reasons({
  no_such_source: { en: 'There is no import from this source.', de: 'Aus dieser Quelle gibt es keinen Import.' },
  files_too_large: {
    en: 'The files have more than 50 MiB together. Import them one after the other.',
    de: 'Die Dateien haben zusammen mehr als 50 MiB. Importieren Sie sie nacheinander.',
  },
  too_many_drafts: {
    en: '{max} imports have files that were not read yet. Run them or undo them first.',
    de: '{max} Importe haben Dateien, die noch nicht gelesen sind. Starten Sie sie, oder machen Sie sie zuerst rückgängig.',
  },
  no_such_file: { en: 'The import has no file with this number.', de: 'Der Import hat keine Datei mit dieser Nummer.' },
  part_does_not_follow: {
    en: 'The part does not follow the {bytes} bytes of the file that have arrived. Go on there.',
    de: 'Der Teil schließt nicht an die {bytes} Bytes der Datei an, die angekommen sind. Machen Sie dort weiter.',
  },
  files_deleted: {
    en: 'The files could not be read, and were deleted. Begin another import.',
    de: 'Die Dateien konnten nicht gelesen werden und sind gelöscht. Beginnen Sie einen neuen Import.',
  },
  files_incomplete: {
    en: 'Parts of the files are still missing. Send them, the last one with `is_last`.',
    de: 'Es fehlen noch Teile der Dateien. Senden Sie zuerst alle, und kennzeichnen Sie den letzten.',
  },
  required_for_source: { en: 'Required for this source.', de: 'Für diese Quelle bitte ausfüllen.' },
  key_form: {
    en: 'Enter the key, a colon, and what belongs to it: the ID of the account or program, or the secret key.',
    de: 'Bitte den Schlüssel, einen Doppelpunkt und den zweiten Teil eingeben: die ID des Kontos oder Programms oder den geheimen Schlüssel.',
  },
  key_deleted: {
    en: 'The key was deleted when the import was done. Enter it again.',
    de: 'Der Schlüssel wurde gelöscht, als der Import fertig war. Geben Sie ihn noch einmal ein.',
  },
  key_deleted_of_import: {
    en: 'The key of the import {import} was deleted when it was done. Run it once more with its key.',
    de: 'Der Schlüssel des Imports {import} wurde gelöscht, als er fertig war. Starten Sie ihn noch einmal mit seinem Schlüssel.',
  },
  history_out_of_range: {
    en: 'Enter a time within the last {months} months.',
    de: 'Geben Sie eine Zeit in den letzten {months} Monaten an.',
  },
  earned_since: {
    en: 'Sales since then have earned commissions here. Choose a later time.',
    de: 'Verkäufe seit dieser Zeit haben hier schon Provisionen gebracht. Wählen Sie eine spätere Zeit.',
  },
  payouts_claimed: {
    en: 'Payouts are being paid. Finish or withdraw their exports, runs and payments first.',
    de: 'Es werden gerade Auszahlungen gezahlt. Schließen Sie deren Exporte, Läufe und Zahlungen zuerst ab, oder ziehen Sie sie zurück.',
  },
  no_shadow: { en: 'The account is no shadow.', de: 'Das Konto ist kein Schattenkonto.' },
  not_in_state: {
    en: 'This is not possible for an import in state {state}.',
    de: 'Im Zustand {state} ist das bei einem Import nicht möglich.',
  },
});
