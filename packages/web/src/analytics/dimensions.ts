import { t } from '../texts/analytics.ts';

/** Dimensions by which the page breaks figures down, in groups. Each group has a panel, which shows one of its dimensions. */
export const GROUPS = [
  { name: 'program', label: t.program, dimensions: ['affiliate', 'campaign', 'link'] },
  { name: 'origin', label: t.origin, dimensions: ['referrer', 'landing_path'] },
  {
    name: 'parameters',
    label: t.parameters,
    dimensions: ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'sub1', 'sub2', 'sub3', 'sub4', 'sub5'],
  },
  { name: 'visitors', label: t.itself, dimensions: ['country', 'device', 'browser'] },
] as const;

export type Group = (typeof GROUPS)[number];
export type PageDimension = Group['dimensions'][number];

export const DIMENSIONS: readonly PageDimension[] = GROUPS.flatMap(({ dimensions }): readonly PageDimension[] => dimensions);
