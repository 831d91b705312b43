import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  example: { en: 'Example', de: 'Beispiel' },
  leave: { en: 'Leave', de: 'Verlassen' },
  leaveConsequence: {
    en: 'You lose access to this program, and so do the AI assistants that you connected to it. Somebody must invite you before you can come back.',
    de: 'Sie verlieren den Zugriff auf dieses Programm, ebenso die KI-Assistenten, die Sie damit verbunden haben. Sie können nur auf eine Einladung hin zurückkehren.',
  },
  name: { en: 'Name of the program', de: 'Name des Programms' },
  newProgram: { en: 'New program', de: 'Neues Programm' },
  newProgramExplained: {
    en: 'A program has campaigns, affiliates, money and members of its own. You become its owner.',
    de: 'Ein Programm hat eigene Kampagnen, Partner, Gelder und Mitglieder. Sie werden sein Inhaber.',
  },
  showOf: { en: 'Show {name}', de: '{name} anzeigen' },
  yourPrograms: { en: 'Your programs', de: 'Ihre Programme' },
});
