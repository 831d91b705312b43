import { useIsLook } from '../components/looked-at.tsx';
import { SectionLinks } from '../components/section-links.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/events.ts';

interface RecordTabsProps {
  /** Accessible name of the navigation. */
  label: string;
  id: string;
  /** Path of the record's page. */
  path: string;
  /** False for a record without events. */
  hasEvents?: boolean;
  /** The sides of the record that every member sees. The first is the record's page. */
  sections: { path: string; label: string }[];
}

/** Links between the pages about a record. Only admins may read events and the audit log. A record with one page has no links. */
export function RecordTabs({ label, id, path, hasEvents = true, sections }: RecordTabsProps) {
  const may = useMay();
  const isLook = useIsLook();
  const all = [...sections];
  if (may('connectors', 'read')) {
    if (hasEvents) all.push({ path: `${path}/events`, label: t.events });
    all.push({ path: `/settings/audit-log?record=${id}`, label: t.history });
  }
  return !isLook && all.length > 1 && <SectionLinks label={label} sections={all} />;
}
