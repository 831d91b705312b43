import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  accountNumber: { en: 'Account number', de: 'Kontonummer' },
  accountType: { en: 'Kind of account', de: 'Art des Kontos' },
  checking: { en: 'Checking', de: 'Girokonto (Checking)' },
  company: { en: 'A company', de: 'Einem Unternehmen' },
  holderType: { en: 'The account belongs to', de: 'Das Konto gehört' },
  person: { en: 'A person', de: 'Einer Person' },
  routingNumber: { en: 'Routing number', de: 'Routing Number' },
  savings: { en: 'Savings', de: 'Sparkonto (Savings)' },
  wrongRoutingNumber: {
    en: 'Enter a routing number of nine digits. There may be a typing error.',
    de: 'Geben Sie eine Routing Number mit neun Ziffern ein. Vielleicht ist ein Tippfehler darin.',
  },
  building: { en: 'House number', de: 'Hausnummer' },
  checkDigitsOfIban: { en: 'There is a typing error in this IBAN.', de: 'In dieser IBAN ist ein Tippfehler.' },
  country: { en: 'Country, e.g. DE', de: 'Land, z. B. DE' },
  countryOfIban: {
    en: 'Accounts of this country cannot be paid by SEPA.',
    de: 'Konten dieses Landes sind mit SEPA nicht erreichbar.',
  },
  countryOfAccount: {
    en: 'Country, if it is another one than that of the program, e.g. DE',
    de: 'Land, falls ein anderes als das des Programms, z. B. DE',
  },
  enterAtService: { en: 'Enter at the service', de: 'Beim Dienst eingeben' },
  linkHint: { en: 'For the affiliate only, and for a short time:', de: 'Nur für den Partner und nur kurze Zeit gültig:' },
  makeLink: { en: 'Make a link', de: 'Link erstellen' },
  serviceAsks: {
    en: 'The service asks on a page of its own for the account, and for what the law demands.',
    de: 'Der Dienst fragt auf einer eigenen Seite nach dem Konto und nach dem, was das Gesetz verlangt.',
  },
  enter: { en: 'Enter', de: 'Eingeben' },
  lengthOfIban: { en: 'This IBAN is too long or too short.', de: 'Diese IBAN ist zu lang oder zu kurz.' },
  malformedIban: {
    en: 'Enter an IBAN, e.g. DE89 3704 0044 0532 0130 00.',
    de: 'Geben Sie eine IBAN ein, z. B. DE89 3704 0044 0532 0130 00.',
  },
  noAccount: { en: 'No account', de: 'Kein Konto' },
  postcode: { en: 'Postcode', de: 'Postleitzahl' },
  removeConsequence: {
    en: 'Payments that are prepared and not sent are withdrawn, and the next payouts wait for some days.',
    de: 'Vorbereitete, nicht gesendete Zahlungen werden zurückgezogen, und die nächsten Auszahlungen warten einige Tage.',
  },
  stripeAccount: { en: 'ID of the account, e.g. acct_1032D82eZvKYlo2C', de: 'ID des Kontos, z. B. acct_1032D82eZvKYlo2C' },
  street: { en: 'Street', de: 'Straße' },
  sharedAccount: {
    en: '{other} is paid to the same account ({hint}). Look at both before you pay them.',
    de: '{other} wird auf dasselbe Konto bezahlt ({hint}). Sehen Sie sich beide an, bevor Sie zahlen.',
  },
  sortCode: { en: 'Sort code', de: 'Sort Code' },
  state: { en: 'State, e.g. NY', de: 'Bundesstaat, z. B. NY' },
  town: { en: 'Town', de: 'Ort' },
});

/** Labels of the parts of addresses. */
export const ADDRESS_FIELDS: Readonly<Record<string, string>> = {
  account_holder: t.accountHolder,
  account_id: t.stripeAccount,
  account_number: t.accountNumber,
  account_type: t.accountType,
  holder_type: t.holderType,
  routing_number: t.routingNumber,
  bic: t.bic,
  building: t.building,
  country: t.country,
  iban: t.iban,
  postcode: t.postcode,
  sort_code: t.sortCode,
  state: t.state,
  street: t.street,
  town: t.town,
};

/** Labels of the values that a part may have. */
export const VALUES: Readonly<Record<string, string>> = {
  checking: t.checking,
  company: t.company,
  person: t.person,
  savings: t.savings,
};
