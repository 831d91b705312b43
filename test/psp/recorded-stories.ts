import type { Fact } from './story-facts.ts';

/**
 * Stories of 3 to 5 events with their earnings, recorded from the service. Where two affiliates compete, the earnings were checked by hand against
 * the rules. The earnings must be the same in every order of the events.
 */
export const RECORDED_STORIES: readonly { story: Fact[]; maxCommissions: number | null; earnings: string[] }[] = [
  {
    story: [
      { kind: 'purchase', day: 1, amount: 1_000, code: 'A' },
      { kind: 'purchase', day: 64, amount: 2_500, link: 'B', visit: 44, code: 'A', refunded: 2_500 },
    ],
    maxCommissions: null,
    earnings: ['0 A test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 49, amount: 0, link: 'B', visit: -21, code: 'B' },
      { kind: 'purchase', day: 54, amount: 2_500, link: 'A', visit: -16, code: 'A' },
      { kind: 'trial', day: 88 },
    ],
    maxCommissions: null,
    earnings: ['1 B test 500'],
  },
  {
    story: [
      { kind: 'trial', day: 50, link: 'A', visit: 49, code: 'B' },
      { kind: 'purchase', day: 147, amount: 1_000, code: 'B' },
      { kind: 'renewal', day: 80, amount: 2_500 },
    ],
    maxCommissions: null,
    earnings: ['1 A test 200', '2 A test 500'],
  },
  {
    story: [{ kind: 'purchase', day: 10, amount: 2_500, code: 'B', refunded: 1_250 }],
    maxCommissions: null,
    earnings: ['0 B test 250'],
  },
  {
    story: [
      { kind: 'trial', day: 138, code: 'B' },
      { kind: 'purchase', day: 13, amount: 0, code: 'A' },
    ],
    maxCommissions: null,
    earnings: [],
  },
  {
    story: [
      { kind: 'trial', day: 80, link: 'B', visit: 10, code: 'B' },
      { kind: 'purchase', day: 80, amount: 1_000, link: 'B', visit: 60 },
    ],
    maxCommissions: null,
    earnings: ['1 B test 200'],
  },
  {
    story: [
      { kind: 'trial', day: 55, link: 'A', visit: 54, code: 'A' },
      { kind: 'purchase', day: 54, amount: 1_000, refunded: 500 },
    ],
    maxCommissions: null,
    earnings: ['1 A test 100'],
  },
  {
    story: [
      { kind: 'purchase', day: 64, amount: 1_000, link: 'B', visit: 63, code: 'B', refunded: 500 },
      { kind: 'trial', day: 132, link: 'A', visit: 62, code: 'A' },
    ],
    maxCommissions: null,
    earnings: ['0 A test 100'],
  },
  {
    story: [
      { kind: 'purchase', day: 61, amount: 1_000, link: 'A', visit: 41, refunded: 1_000 },
      { kind: 'purchase', day: 55, amount: 0, link: 'A', visit: -15, code: 'A' },
    ],
    maxCommissions: 1,
    earnings: [],
  },
  {
    story: [
      { kind: 'renewal', day: 22, amount: 2_500 },
      { kind: 'purchase', day: 78, amount: 0, code: 'A' },
    ],
    maxCommissions: null,
    earnings: [],
  },
  {
    story: [
      { kind: 'purchase', day: 29, amount: 1_000, link: 'A', visit: 28 },
      { kind: 'trial', day: 39, code: 'A' },
      { kind: 'purchase', day: 95, amount: 2_500, link: 'A', visit: 75 },
    ],
    maxCommissions: null,
    earnings: ['0 A test 200', '2 A test 500'],
  },
  {
    story: [
      { kind: 'trial', day: 79 },
      { kind: 'purchase', day: 22, amount: 1_000, link: 'B', visit: 2, code: 'A' },
    ],
    maxCommissions: 1,
    earnings: ['1 B test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 43, amount: 1_000, link: 'B', visit: -27 },
      { kind: 'trial', day: 117, link: 'B', visit: 97, code: 'B' },
    ],
    maxCommissions: 1,
    earnings: [],
  },
  {
    story: [
      { kind: 'purchase', day: 45, amount: 0, link: 'B', visit: 44, code: 'A' },
      { kind: 'purchase', day: 132, amount: 2_500, link: 'B', visit: 131, code: 'A' },
      { kind: 'renewal', day: 54, amount: 2_500 },
    ],
    maxCommissions: 1,
    earnings: ['2 B test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 125, amount: 1_000, code: 'A' },
      { kind: 'trial', day: 51, link: 'A', visit: 50, code: 'B' },
    ],
    maxCommissions: null,
    earnings: ['0 A test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 106, amount: 2_500, code: 'A', refunded: 1_250 },
      { kind: 'purchase', day: 66, amount: 2_500, code: 'A' },
    ],
    maxCommissions: null,
    earnings: ['0 A test 250', '1 A test 500'],
  },
  {
    story: [
      { kind: 'trial', day: 126, link: 'A', visit: 106, code: 'B' },
      { kind: 'purchase', day: 140, amount: 2_500, link: 'B', visit: 139 },
      { kind: 'purchase', day: 108, amount: 0 },
    ],
    maxCommissions: null,
    earnings: ['1 A test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 94, amount: 0, link: 'B', visit: 24, code: 'A' },
      { kind: 'renewal', day: 119, amount: 2_500 },
      { kind: 'purchase', day: 129, amount: 1_000, link: 'B', visit: 128, code: 'A' },
    ],
    maxCommissions: 2,
    earnings: ['1 A test 500', '2 A test 200'],
  },
  {
    story: [
      { kind: 'renewal', day: 77, amount: 1_000 },
      { kind: 'purchase', day: 67, amount: 0, code: 'A' },
      { kind: 'renewal', day: 144, amount: 1_000 },
    ],
    maxCommissions: null,
    earnings: ['0 A test 200', '2 A test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 128, amount: 2_500, link: 'A', visit: 108, code: 'A' },
      { kind: 'trial', day: 71, code: 'A' },
    ],
    maxCommissions: 2,
    earnings: ['0 A test 500'],
  },
  {
    story: [
      { kind: 'trial', day: 42, link: 'A', visit: 41 },
      { kind: 'renewal', day: 10, amount: 2_500 },
      { kind: 'purchase', day: 9, amount: 1_000, link: 'A', visit: -11 },
    ],
    maxCommissions: null,
    earnings: ['1 A test 500', '2 A test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 24, amount: 0, code: 'B' },
      { kind: 'renewal', day: 57, amount: 1_000 },
      { kind: 'purchase', day: 126, amount: 2_500, link: 'A', visit: 106, code: 'B' },
    ],
    maxCommissions: null,
    earnings: ['1 B test 200', '2 B test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 119, amount: 1_000, link: 'B', visit: 99, code: 'A' },
      { kind: 'purchase', day: 114, amount: 1_000, code: 'A' },
      { kind: 'renewal', day: 95, amount: 2_500 },
    ],
    maxCommissions: 1,
    earnings: ['1 B test 200'],
  },
  {
    story: [{ kind: 'purchase', day: 138, amount: 1_000, code: 'A', refunded: 500 }],
    maxCommissions: null,
    earnings: ['0 A test 100'],
  },
  {
    story: [
      { kind: 'purchase', day: 15, amount: 1_000, link: 'B', visit: -5, code: 'B' },
      { kind: 'trial', day: 5, link: 'A', visit: 4, code: 'B' },
    ],
    maxCommissions: null,
    earnings: ['0 B test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 38, amount: 0, link: 'B', visit: -32, code: 'A' },
      { kind: 'purchase', day: 118, amount: 2_500, link: 'A', visit: 117, code: 'B' },
    ],
    maxCommissions: 2,
    earnings: ['1 A test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 91, amount: 2_500, link: 'A', visit: 71, code: 'A' },
      { kind: 'purchase', day: 3, amount: 0, code: 'B' },
    ],
    maxCommissions: null,
    earnings: ['0 A test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 49, amount: 1_000, link: 'A', visit: -21, code: 'B' },
      { kind: 'trial', day: 65, code: 'B' },
    ],
    maxCommissions: 1,
    earnings: ['0 B test 200'],
  },
  {
    story: [
      { kind: 'purchase', day: 132, amount: 2_500, code: 'A' },
      { kind: 'trial', day: 77, link: 'B', visit: 57, code: 'B' },
    ],
    maxCommissions: null,
    earnings: ['0 B test 500'],
  },
  {
    story: [
      { kind: 'purchase', day: 98, amount: 2_500, link: 'A', visit: 28, code: 'B' },
      { kind: 'trial', day: 120, code: 'A' },
    ],
    maxCommissions: null,
    earnings: ['0 B test 500'],
  },
];
