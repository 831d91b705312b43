import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  born: { en: 'Born', de: 'Geboren' },
  clear: { en: 'No name on the lists is alike.', de: 'Kein Name auf den Listen ist ähnlich.' },
  compare: { en: 'Compare affiliates with lists before they are paid', de: 'Partner vor dem Bezahlen mit Listen vergleichen' },
  compareHint: {
    en: 'An affiliate whose name is like one on a list is not paid before a person has looked. You may have to sign in again to switch it off.',
    de: 'Ein Partner, dessen Name einem auf einer Liste gleicht, wird erst bezahlt, wenn eine Person nachgesehen hat. Zum Ausschalten müssen Sie sich vielleicht neu anmelden.',
  },
  compared: { en: 'Compared {at}: {names}', de: 'Verglichen {at}: {names}' },
  entry: { en: 'Reference', de: 'Kennung' },
  held: {
    en: 'Not paid: the name is like one on a list of people and companies that nobody may pay. Compare both.',
    de: 'Wird nicht bezahlt: Der Name gleicht einem auf einer Liste von Personen und Unternehmen, die niemand bezahlen darf. Vergleichen Sie beide.',
  },
  list: { en: 'List', de: 'Liste' },
  listDate: { en: 'Of', de: 'Vom' },
  lists: { en: 'Lists', de: 'Listen' },
  loaded: { en: 'Loaded', de: 'Geladen' },
  matches: { en: 'Alike', de: 'Ähnlich' },
  names: { en: 'Names', de: 'Namen' },
  noLists: {
    en: 'No list is loaded. The operator of this installation loads the files of OFAC, UN, UK and EU with the command {command}.',
    de: 'Es ist keine Liste geladen. Der Betreiber dieser Installation lädt die Dateien von OFAC, UN, UK und EU mit dem Befehl {command}.',
  },
  notYet: {
    en: 'Not compared yet. This takes at most a minute.',
    de: 'Noch nicht verglichen. Das dauert höchstens eine Minute.',
  },
  reason: { en: 'Why it is somebody else', de: 'Warum es jemand anderes ist' },
  reasonExample: {
    en: 'E.g. “born in another year, as her passport shows”. Stored in the audit log.',
    de: 'Z. B. „in einem anderen Jahr geboren, laut ihrem Ausweis“. Steht dann im Audit-Log.',
  },
  release: { en: 'Release the hit', de: 'Treffer freigeben' },
  releaseConsequence: {
    en: 'The affiliate is paid from then on. That ends when the name or a payout method changes, or another entry is alike. You may have to sign in again first.',
    de: 'Der Partner wird dann bezahlt. Das endet, wenn sich der Name oder ein Auszahlungsweg ändert oder ein anderer Eintrag ähnlich ist. Vielleicht müssen Sie sich vorher neu anmelden.',
  },
  released: { en: 'Hit released.', de: 'Treffer freigegeben.' },
  releasedAt: { en: 'Released {at}: {reason}', de: 'Freigegeben {at}: {reason}' },
  saved: { en: 'Setting saved.', de: 'Einstellung gespeichert.' },
  screening: { en: 'Comparison with lists', de: 'Vergleich mit Listen' },
  tooOld: { en: 'Too old', de: 'Zu alt' },
  tooOldHint: {
    en: 'A list was loaded more than 30 days ago. Nobody is cleared before it is loaded again.',
    de: 'Eine Liste wurde vor mehr als 30 Tagen geladen. Bis sie neu geladen ist, wird niemand bezahlt.',
  },
  unavailable: {
    en: 'Not paid: the name could not be compared. It is missing, no list is loaded, or a list is too old.',
    de: 'Wird nicht bezahlt: Der Name ließ sich nicht vergleichen. Er fehlt, es ist keine Liste geladen, oder eine Liste ist zu alt.',
  },
});
