import type { ScreenedList, ScreeningMatch, ScreeningResult } from '../../ledger/payouts/payout-screening.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';

/** The result of comparing a person or company with lists, and the entries whose names are alike. Only `clear` lets payments go out. */
export interface Verdict {
  result: ScreeningResult;
  lists: ScreenedList[];
  matches: ScreeningMatch[];
}

/**
 * A list with which affiliates are compared before they are paid (docs/rules/payouts.md#screening). Each is a folder of `payouts/screening`, an entry in the
 * table of `screen-affiliates.ts`, and a name in `SCREENERS` of the account.
 */
export interface Screener {
  /** Returns the state of what it compares with. When it is another one, all affiliates are compared again. */
  version(ctx: Pick<Ctx, 'db' | 'now'>): Promise<string>;
  /** Compares a person or company, by all names that it uses. No transaction is open. Throws OutsideError: there is no answer. */
  screen(ctx: Pick<Ctx, 'db' | 'now'>, names: readonly string[]): Promise<Verdict>;
}
