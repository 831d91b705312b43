import { roleAtLeast } from '@affiliate/core/browser';
import { SectionLinks } from '../components/section-links.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/events.ts';

interface RecordTabsProps {
  /** Accessible name of the navigation. */
  label: string;
  /** Path of the record's page. */
  path: string;
  /** The sides of the record that every member sees. The first is the record's page. */
  sections: { path: string; label: string }[];
}

/** Links between the pages about a record that has events. Only admins may read events. A record with one page has no links. */
export function RecordTabs({ label, path, sections }: RecordTabsProps) {
  const { role } = useMember();
  const forAdmins = roleAtLeast(role, 'admin') ? [{ path: `${path}/events`, label: t.events }] : [];
  const all = [...sections, ...forAdmins];
  return all.length > 1 && <SectionLinks label={label} sections={all} />;
}
