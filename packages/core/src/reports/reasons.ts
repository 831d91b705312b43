import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const REPORT_REASONS = reasons({
  before_since: { en: 'Must not be earlier than `since`.', de: 'Darf nicht vor dem Beginn liegen.' },
  range_too_long: { en: 'The range can span at most {max} days.', de: 'Der Zeitraum darf höchstens {max} Tage umfassen.' },
  too_many_clicks: {
    en: 'A report by several dimensions can count at most {max} clicks. Shorten the range.',
    de: 'Ein Bericht nach mehreren Merkmalen kann höchstens {max} Klicks zählen. Verkürzen Sie den Zeitraum.',
  },
  before_from: { en: 'Must not be earlier than `from`.', de: 'Darf nicht vor dem Beginn liegen.' },
  in_past: {
    en: 'Must not be in the past. To see past payouts, list payouts.',
    de: 'Darf nicht in der Vergangenheit liegen. Frühere Auszahlungen stehen in der Liste der Auszahlungen.',
  },
  no_change_given: {
    en: 'Give one of create, update, end, rule_ids and base, or several.',
    de: 'Es gibt noch keine Änderung, deren Wirkung sich berechnen ließe.',
  },
});
