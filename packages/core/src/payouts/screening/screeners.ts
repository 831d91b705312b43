import type { ScreenerKind } from '../../identity/accounts/account.entity.ts';
import type { Screener } from '../port/screener.ts';
import { LISTS } from './lists/lists.ts';

/** All that affiliates can be compared with, by kind. */
export const SCREENERS: Readonly<Record<ScreenerKind, Screener>> = { lists: LISTS };
