import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/applications.ts';

export const applications: TranslationOf<typeof t> = {
  answers: 'Antworten',
  applicant: 'Bewerber',
  applications: 'Bewerbungen',
  applied: 'Beworben',
  appliedOn: 'Bewerbung vom',
  approve: 'Annehmen',
  approved: { one: '{count} Bewerbung angenommen.', other: '{count} Bewerbungen angenommen.' },
  campaign: 'Kampagne',
  chooseAll: 'Alle auswählen',
  chooseOne: '{name} auswählen',
  description: 'Bewerber, die auf Ihre Entscheidung warten, die ältesten zuerst.',
  none: 'Es warten keine Bewerbungen',
  noneExplained: 'Neue Bewerbungen von Ihren Anmeldeseiten erscheinen hier.',
  note: 'Nachricht an die Bewerber',
  noteExplained: 'Freiwillig. Sie steht in der E-Mail über Ihre Entscheidung und im Portal.',
  noteSent: 'Ihre Nachricht:',
  reject: 'Ablehnen',
  rejected: { one: '{count} Bewerbung abgelehnt.', other: '{count} Bewerbungen abgelehnt.' },
};
