import type { Tool } from '../define-tool.ts';
import { AFFILIATES } from './affiliates.ts';
import { CODES } from './codes.ts';
import { PAYOUTS } from './payouts.ts';
import { PROGRAM } from './program.ts';
import { SALES } from './sales.ts';
import { INVITATIONS, TEAM } from './team.ts';
import { WEBHOOKS } from './webhooks.ts';

/** All tools, in list order. */
export const TOOLS: readonly Tool[] = [
  ...PROGRAM,
  ...AFFILIATES,
  ...SALES,
  ...PAYOUTS,
  ...CODES,
  ...INVITATIONS,
  ...WEBHOOKS,
  ...TEAM,
];
