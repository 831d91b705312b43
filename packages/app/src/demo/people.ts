import { DEMO_DOMAIN } from '@affiliate/core';

export interface DemoAffiliate {
  first_name: string;
  last_name: string;
  /** The day of the demo on which the person becomes an affiliate. */
  joins: number;
  /** Visits that the person sends on an ordinary day. */
  weight: number;
  /** The page on which the person links to the shop. */
  page: string;
  /** True for affiliates who earn in the campaign for partners. */
  isPartner: boolean;
}

type Row = [first: string, last: string, joins: number, weight: number, page: string, campaign?: 'partner'];

const ROWS: Row[] = [
  ['Ada', 'Lovelace', 0, 3, 'https://analytical-notes.example/reviews'],
  ['Grace', 'Hopper', 0, 2.4, 'https://compile-weekly.example/tools'],
  ['Alan', 'Turing', 1, 2, 'https://www.youtube.com/'],
  ['Barbara', 'Liskov', 4, 1.6, 'https://abstractions.example/links'],
  ['Edsger', 'Dijkstra', 9, 1.2, 'https://www.linkedin.com/'],
  ['Radia', 'Perlman', 15, 1.2, 'https://spanning-tree.example/', 'partner'],
  ['Donald', 'Knuth', 26, 0.9, 'https://www.reddit.com/', 'partner'],
  ['Hedy', 'Lamarr', 38, 0.7, 'https://www.instagram.com/'],
  ['Niklaus', 'Wirth', 52, 0.6, 'https://t.co/'],
  ['Claude', 'Shannon', 67, 0.5, 'https://signal-and-noise.example/newsletter'],
];

/** The affiliates of the demo, in the order in which they join. */
export const DEMO_AFFILIATES: readonly DemoAffiliate[] = ROWS.map(([first_name, last_name, joins, weight, page, campaign]) => ({
  first_name,
  last_name,
  joins,
  weight,
  page,
  isPartner: campaign === 'partner',
}));

/** A person whose application waits for a decision. */
interface DemoApplicant {
  first_name: string;
  last_name: string;
  /** The day of the demo on which the person applies. */
  applies: number;
  answer: string;
}

export const DEMO_APPLICANTS: readonly DemoApplicant[] = [
  {
    first_name: 'Katherine',
    last_name: 'Johnson',
    applies: 84,
    answer: 'I compare tools for small shops in a newsletter with 4,000 readers.',
  },
  { first_name: 'Tim', last_name: 'Lee', applies: 87, answer: 'A podcast about the web, an episode every two weeks.' },
  {
    first_name: 'Cheap',
    last_name: 'Coupons',
    applies: 88,
    answer: 'We list your discount codes next to those of your competitors.',
  },
];

const FIRST_NAMES = ['Mira', 'Jonas', 'Lea', 'Sofia', 'Tom', 'Nora', 'Emil', 'Ida', 'Luis', 'Hana', 'Omar', 'Zoe'] as const;
const LAST_NAMES = ['Berg', 'Costa', 'Meyer', 'Novak', 'Okafor', 'Silva', 'Tanaka', 'Wagner', 'Young'] as const;

export function customerOf(number: number): { name: string; email: string } {
  const first = FIRST_NAMES[number % FIRST_NAMES.length]!;
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length]!;
  return { name: `${first} ${last}`, email: addressOf(`${first}.${last}.${number}`) };
}

/** Returns an email address of the demo. No mail is sent to it. */
export function addressOf(person: string): string {
  return `${person.toLowerCase()}@${DEMO_DOMAIN}`;
}
