import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const REWARD_REASONS = reasons({
  country_code_form: {
    en: 'Use a country code of two capital letters, e.g. DE.',
    de: 'Verwenden Sie einen Ländercode aus zwei Großbuchstaben, z. B. DE.',
  },
  too_many_keys: { en: 'At most 10 keys.', de: 'Höchstens 10 Schlüssel.' },
  too_many_rules: {
    en: 'This campaign has {max} rules already. End one of them first.',
    de: 'Diese Kampagne hat schon {max} Regeln. Beenden Sie zuerst eine davon.',
  },
  rule_too_large: {
    en: 'A rule has at most 16 KiB. Use fewer values.',
    de: 'Eine Regel hat höchstens 16 KiB. Verwenden Sie weniger Werte.',
  },
  rules_too_large: {
    en: 'The rules of a campaign have at most 256 KiB together. End one of them, or use fewer values.',
    de: 'Die Regeln einer Kampagne haben zusammen höchstens 256 KiB. Beenden Sie eine davon, oder verwenden Sie weniger Werte.',
  },
  rule_ended: { en: 'This rule has ended. Create a new rule.', de: 'Diese Regel ist beendet. Legen Sie eine neue an.' },
  no_rule_of_campaign: { en: 'No such rule of this campaign.', de: 'Diese Kampagne hat keine solche Regel.' },
  rule_twice: { en: 'This rule is listed twice.', de: 'Diese Regel kommt doppelt vor.' },
  no_live_rule_of_campaign: {
    en: 'No such rule of this campaign that has not ended.',
    de: 'Diese Kampagne hat keine solche Regel, die noch gilt.',
  },
  link_of_other_campaign: { en: 'This link belongs to another campaign.', de: 'Dieser Link gehört zu einer anderen Kampagne.' },
  link_of_other_affiliate: { en: 'This link belongs to another affiliate.', de: 'Dieser Link gehört einem anderen Partner.' },
  one_of_percent_fixed_nothing: {
    en: 'Give exactly one of percent, fixed and nothing.',
    de: 'Wählen Sie genau eines: Prozentsatz, fester Betrag oder nichts.',
  },
  metric_required: { en: 'Say what the rule counts.', de: 'Geben Sie an, was die Regel zählt.' },
  only_for_milestones: { en: 'Only rules of milestones have this.', de: 'Das haben nur Regeln für Meilensteine.' },
  one_of_every_and_at: { en: 'Give exactly one of every and at.', de: 'Wählen Sie entweder „alle“ oder „bei“.' },
  below_100_cents: { en: 'Must be at least 100 cents.', de: 'Muss mindestens 1,00 sein.' },
  only_for_leads: { en: 'Only rules of leads have this.', de: 'Das haben nur Regeln für Interessenten.' },
  top_pays_nothing: { en: 'A rule on top must pay something.', de: 'Eine zusätzliche Regel muss etwas zahlen.' },
  top_only_for_sales: { en: 'Only rules of sales pay on top.', de: 'Zusätzlich zahlen nur Regeln für Verkäufe.' },
  fixed_once: { en: 'Pay a fixed amount, once.', de: 'Zahlen Sie einmal einen festen Betrag.' },
  cap_only_for_sales: { en: 'Only rules of sales have a cap.', de: 'Eine Obergrenze haben nur Regeln für Verkäufe.' },
  milestone_of_link: {
    en: 'A milestone counts the sales of an affiliate, not of a link.',
    de: 'Ein Meilenstein zählt die Verkäufe eines Partners, nicht eines Links.',
  },
  condition_not_for: {
    en: 'Rules of a {event} cannot have this condition.',
    de: 'Regeln für „{event}“ können diese Bedingung nicht haben.',
  },
  not_after_from: { en: 'Must be after from.', de: 'Muss nach dem Beginn liegen.' },
  empty_range: { en: 'No sale can be in this range.', de: 'In diesem Bereich kann kein Verkauf liegen.' },
  tier_currency: {
    en: 'A tier of revenue has a currency, and no other tier has one.',
    de: 'Eine Stufe nach Umsatz hat eine Währung, jede andere Stufe hat keine.',
  },
  tier_ended: { en: 'This tier has ended. Create a new tier.', de: 'Diese Stufe ist beendet. Legen Sie eine neue an.' },
  tier_of_other_campaign: { en: 'This tier belongs to another campaign.', de: 'Diese Stufe gehört zu einer anderen Kampagne.' },
});
