import type { Role } from '../session/roles.ts';

interface Destination {
  path: string;
  label: string;
  /** The weakest role that may read what the page shows. */
  role: Role;
}

interface Section {
  label: string;
  destinations: Destination[];
}

export const NAVIGATION: Section[] = [
  {
    label: 'Program',
    destinations: [{ path: '/', label: 'Overview', role: 'member' }],
  },
  {
    label: 'Settings',
    destinations: [],
  },
];
