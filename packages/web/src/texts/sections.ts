import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  allCommissions: { en: 'All commissions', de: 'Alle Provisionen' },
  exports: { en: 'Exports', de: 'Exporte' },
  runs: { en: 'Runs', de: 'Läufe' },
});
