import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/example-notice.ts';

export const exampleNotice: TranslationOf<typeof t> = {
  allOfItsRecordsAre:
    'Alle seine Datensätze werden sofort und endgültig entfernt, auch Personen, die zu keinem anderen Konto gehören. Ihr Programm bleibt, wie es ist.',
  invitation:
    'Sehen Sie sich um, und starten Sie Ihr eigenes Programm, wenn Sie so weit sind. Das Beispiel können Sie danach entfernen.',
  nothingIsYours: 'Sehen Sie sich um, so lange Sie möchten. Nichts davon gehört zu Ihrem Programm.',
  removeTheExample: 'Beispiel entfernen',
  startYourOwnProgram: 'Eigenes Programm starten',
  thisIsTheExample: 'Das ist das Beispiel',
};
