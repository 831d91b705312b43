/** The rules that decide which referral a visitor has after a click (docs/rules/program.md#clicks). */
export const TOUCH_RULES = ['new_visitor', 'first_click', 'last_click', 'former_not_live'] as const;
export type TouchRule = (typeof TOUCH_RULES)[number];
