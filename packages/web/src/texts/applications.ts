import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  answers: { en: 'Answers', de: 'Antworten' },
  applicant: { en: 'Applicant', de: 'Bewerber' },
  applied: { en: 'Applied', de: 'Beworben' },
  appliedOn: { en: 'Applied on', de: 'Bewerbung vom' },
  approve: { en: 'Approve', de: 'Annehmen' },
  approveChosen: { en: 'Approve the selected', de: 'Ausgewählte annehmen' },
  approved: {
    en: { one: '{count} application approved.', other: '{count} applications approved.' },
    de: { one: '{count} Bewerbung angenommen.', other: '{count} Bewerbungen angenommen.' },
  },
  approveOne: { en: 'Approve: {name}', de: 'Annehmen: {name}' },
  chooseAll: { en: 'Choose all', de: 'Alle auswählen' },
  choose: { en: 'Select', de: 'Auswählen' },
  chosen: { en: '{chosen} of {all} selected', de: '{chosen} von {all} ausgewählt' },
  chooseOne: { en: 'Choose {name}', de: '{name} auswählen' },
  description: {
    en: 'Applicants who wait for your decision, oldest first.',
    de: 'Bewerber, die auf Ihre Entscheidung warten, die ältesten zuerst.',
  },
  none: { en: 'No applications are waiting', de: 'Es warten keine Bewerbungen' },
  noneExplained: {
    en: 'New applications from your sign-up pages appear here.',
    de: 'Neue Bewerbungen von Ihren Anmeldeseiten erscheinen hier.',
  },
  note: { en: 'Note to the applicants', de: 'Nachricht an die Bewerber' },
  noteExplained: {
    en: 'Optional. Shown in the email about your decision, and in the portal.',
    de: 'Freiwillig. Sie steht in der E-Mail über Ihre Entscheidung und im Portal.',
  },
  noteSent: { en: 'Your note:', de: 'Ihre Nachricht:' },
  rejectChosen: { en: 'Reject the selected', de: 'Ausgewählte ablehnen' },
  rejected: {
    en: { one: '{count} application rejected.', other: '{count} applications rejected.' },
    de: { one: '{count} Bewerbung abgelehnt.', other: '{count} Bewerbungen abgelehnt.' },
  },
  rejectOne: { en: 'Reject: {name}', de: 'Ablehnen: {name}' },
});
