import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const IMPORT_REASONS = reasons({
  no_such_source: { en: 'There is no import from this source.', de: 'Aus dieser Quelle gibt es keinen Import.' },
  files_too_large: {
    en: 'The files have more than 1 MiB together. Import them one after the other.',
    de: 'Die Dateien haben zusammen mehr als 1 MiB. Importieren Sie sie nacheinander.',
  },
  required_for_source: { en: 'Required for this source.', de: 'Für diese Quelle bitte ausfüllen.' },
  key_form: {
    en: 'Enter the key, a colon, and the ID of the account or program.',
    de: 'Bitte den Schlüssel, einen Doppelpunkt und die ID des Kontos oder Programms eingeben.',
  },
  key_deleted: {
    en: 'The key was deleted when the import was done. Enter it again.',
    de: 'Der Schlüssel wurde gelöscht, als der Import fertig war. Geben Sie ihn noch einmal ein.',
  },
  key_deleted_of_import: {
    en: 'The key of the import {import} was deleted when it was done. Run it once more with its key.',
    de: 'Der Schlüssel des Imports {import} wurde gelöscht, als er fertig war. Starten Sie ihn noch einmal mit seinem Schlüssel.',
  },
  no_shadow: { en: 'The account is no shadow.', de: 'Das Konto ist kein Schattenkonto.' },
  not_in_state: {
    en: 'This is not possible for an import in state {state}.',
    de: 'Im Zustand {state} ist das bei einem Import nicht möglich.',
  },
});
