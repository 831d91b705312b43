import { texts } from './catalogue.ts';

export const t = texts({
  allOfItsRecordsAre: {
    en: 'All of its records are removed immediately and permanently, and so are people who belong to no other account. Your own program is not affected.',
    de: 'Alle seine Datensätze werden sofort und endgültig entfernt, auch Personen, die zu keinem anderen Konto gehören. Ihr Programm bleibt, wie es ist.',
  },
  invitation: {
    en: 'Look around, and start your own program when you are ready. You can remove the example afterwards.',
    de: 'Sehen Sie sich um, und starten Sie Ihr eigenes Programm, wenn Sie so weit sind. Das Beispiel können Sie danach entfernen.',
  },
  nothingIsYours: {
    en: 'Look around as long as you like. Nothing here belongs to your program.',
    de: 'Sehen Sie sich um, so lange Sie möchten. Nichts davon gehört zu Ihrem Programm.',
  },
  removeTheExample: { en: 'Remove the example', de: 'Beispiel entfernen' },
  startYourOwnProgram: { en: 'Start your own program', de: 'Eigenes Programm starten' },
  thisIsTheExample: { en: 'This is the example', de: 'Das ist das Beispiel' },
});
