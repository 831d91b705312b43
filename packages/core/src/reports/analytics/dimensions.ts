/** Dimensions of analytics for which clicks have a column, with the name of the column (docs/rules/reports.md#analytics). */
export const CLICK_DIMENSIONS = {
  affiliate: 'affiliate_id',
  campaign: 'campaign_id',
  link: 'link_id',
  landing_path: 'landing_path',
  referrer: 'referrer_host',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  sub1: 'sub1',
  sub2: 'sub2',
  sub3: 'sub3',
  sub4: 'sub4',
  sub5: 'sub5',
  country: 'country',
  device: 'device',
  browser: 'browser',
} as const;
export type ClickDimension = keyof typeof CLICK_DIMENSIONS;

/** Dimensions for which referrals have a column of their own. For all others, a referral has the values of the click that started it. */
export const REFERRAL_DIMENSIONS = ['affiliate', 'campaign', 'link'] as const satisfies ClickDimension[];

const TIME_DIMENSIONS = ['day', 'week', 'month'] as const;
export type TimeDimension = (typeof TIME_DIMENSIONS)[number];

export const DIMENSIONS = [...TIME_DIMENSIONS, ...(Object.keys(CLICK_DIMENSIONS) as ClickDimension[])] as const;
export type Dimension = TimeDimension | ClickDimension;

export function isTime(dimension: Dimension): dimension is TimeDimension {
  return (TIME_DIMENSIONS as readonly string[]).includes(dimension);
}

/** Name of the dimension under which the roll-ups count all clicks. */
export const ALL_CLICKS = 'all';
