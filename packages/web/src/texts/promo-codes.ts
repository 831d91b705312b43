import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  assign: { en: 'Assign', de: 'Zuweisen' },
  assignCode: { en: 'Assign a code', de: 'Code zuweisen' },
  assigned: { en: '{code} belongs to {name}.', de: '{code} gehört {name}.' },
  checked: { en: 'Checked', de: 'Geprüft' },
  codeHint: { en: 'Letters, digits, and hyphens, e.g. JANE20', de: 'Buchstaben, Ziffern und Bindestriche, z. B. JANE20' },
  codeToFind: { en: 'Code in Stripe', de: 'Code in Stripe' },
  connect: { en: 'Connect Stripe', de: 'Stripe verbinden' },
  create: { en: 'Create a new code in Stripe', de: 'Einen neuen Code in Stripe anlegen' },
  createdCode: { en: 'Create {code} for the discount {discount}', de: '{code} für den Rabatt {discount} anlegen' },
  discount: { en: 'Discount', de: 'Rabatt' },
  existing: { en: 'Use an existing code in Stripe', de: 'Einen Code verwenden, den Stripe hat' },
  finish: { en: 'Finish', de: 'Abschließen' },
  finishOf: { en: 'Finish: {code}', de: 'Abschließen: {code}' },
  importedCode: { en: 'Assign the code {code} of Stripe', de: 'Den Code {code} aus Stripe zuweisen' },
  link: { en: 'Promo codes', de: 'Aktionscodes' },
  meaning: {
    en: 'Sales in Stripe with one of these codes are attributed to the affiliate.',
    de: 'Verkäufe in Stripe mit einem dieser Codes gehören dem Partner.',
  },
  notConnected: { en: 'Stripe is not connected', de: 'Stripe ist nicht verbunden' },
  notConnectedHint: {
    en: 'Promo codes are codes in Stripe. An admin can connect Stripe in the settings.',
    de: 'Aktionscodes sind Codes in Stripe. Ein Administrator kann Stripe in den Einstellungen verbinden.',
  },
  noCodeInStripe: { en: 'Stripe has no such code.', de: 'Stripe hat keinen solchen Code.' },
  noCodes: { en: 'No promo codes yet', de: 'Noch keine Aktionscodes' },
  noDiscounts: {
    en: 'Stripe has no coupon that can be redeemed. Create one in Stripe first.',
    de: 'Stripe hat keinen einlösbaren Gutschein. Legen Sie zuerst einen in Stripe an.',
  },
  ofName: { en: 'Promo codes of {name}', de: 'Aktionscodes von {name}' },
  pending: { en: 'Unfinished', de: 'Nicht abgeschlossen' },
  pendingMeaning: {
    en: 'Stripe did not answer in time, so we do not know whether this took effect. “Finish” asks Stripe and completes the change if needed. After 24 hours, an unfinished change no longer blocks other changes.',
    de: 'Stripe hat nicht rechtzeitig geantwortet. Darum ist nicht bekannt, ob dies gewirkt hat. „Abschließen“ fragt Stripe und holt es nötigenfalls nach. Nach 24 Stunden steht Unabgeschlossenes nichts mehr im Weg.',
  },
  preview: { en: 'Sales with {code} will be attributed to {name}.', de: 'Verkäufe mit {code} werden {name} gehören.' },
  redeemed: { en: 'Redeemed', de: 'Eingelöst' },
  refresh: { en: 'Refresh', de: 'Aktualisieren' },
  refreshOf: { en: 'Refresh: {code}', de: 'Aktualisieren: {code}' },
  stop: { en: 'Stop', de: 'Beenden' },
  stopConsequence: {
    en: 'Stripe still redeems the code, but new sales with it are no longer attributed to the affiliate. Commissions already earned are kept. A stopped code cannot be started or assigned again.',
    de: 'Stripe löst den Code weiter ein, aber neue Verkäufe damit gehören nicht mehr dem Partner. Verdientes bleibt. Ein beendeter Code kann weder wieder gestartet noch neu zugewiesen werden.',
  },
  takenBy: { en: '{code}, belongs to another affiliate', de: '{code}, gehört einem anderen Partner' },
  what: { en: 'What', de: 'Vorgang' },
});
