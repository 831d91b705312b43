/** The rules by which a click leads to the referral that the visitor has after it (docs/domain-rules.md#clicks). */
export const TOUCH_RULES = ['new_visitor', 'first_click', 'last_click', 'former_not_live'] as const;
export type TouchRule = (typeof TOUCH_RULES)[number];
