import { reasons } from '../../../platform/texts/reason.ts';

/** Reasons that name Wise, or the forms of its accounts. */
export const WISE_REASONS = reasons({
  name_not_latin: {
    en: 'Enter the full name in Latin letters, as the bank has it.',
    de: 'Bitte geben Sie den vollständigen Namen in lateinischen Buchstaben ein, so wie ihn die Bank hat.',
  },
  sort_code_form: {
    en: 'Enter a sort code of six digits, e.g. 04-00-75.',
    de: 'Bitte geben Sie einen Sort Code mit sechs Ziffern ein, z. B. 04-00-75.',
  },
  account_number_form: {
    en: 'Enter an account number of eight digits, e.g. 37778842.',
    de: 'Bitte geben Sie eine Kontonummer mit acht Ziffern ein, z. B. 37778842.',
  },
  state_form: {
    en: 'Enter the two letters of the state, e.g. NY.',
    de: 'Bitte geben Sie die zwei Buchstaben des Bundesstaats ein, z. B. NY.',
  },
  country_form: {
    en: 'Enter the two letters of the country, e.g. US.',
    de: 'Bitte geben Sie die zwei Buchstaben des Landes ein, z. B. US.',
  },
  names_needed: {
    en: '{name} (payout {payout}) needs a first and a last name in Latin letters, because Wise asks for them.',
    de: '{name} (Auszahlung {payout}) braucht einen Vor- und einen Nachnamen in lateinischen Buchstaben, weil Wise danach fragt.',
  },
  unknown_state: { en: 'Wise names a state that is not known.', de: 'Wise nennt einen unbekannten Zustand.' },
  balance_not_taken: {
    en: 'Wise did not take the money from the balance ({word}).',
    de: 'Wise hat das Geld nicht vom Guthaben genommen ({word}).',
  },
  profile_form: {
    en: 'Enter the number of the profile, e.g. 16055450.',
    de: 'Bitte geben Sie die Nummer des Profils ein, z. B. 16055450.',
  },
  currency_form: {
    en: 'Enter the three letters of a currency, e.g. EUR.',
    de: 'Bitte geben Sie die drei Buchstaben einer Währung ein, z. B. EUR.',
  },
  profile_ambiguous: {
    en: 'The token belongs to no profile of a business, or to several. Enter profile_id.',
    de: 'Das Token gehört zu keinem Profil eines Unternehmens oder zu mehreren. Geben Sie die Profil-ID ein.',
  },
  profile_foreign: { en: 'The token does not belong to this profile.', de: 'Das Token gehört nicht zu diesem Profil.' },
});
