import { roleAtLeast } from '@affiliate/core/browser';
import { SectionLinks } from '../components/section-links.tsx';
import { useMember } from '../session/session.tsx';
import { t as events } from '../texts/events.ts';
import { t } from '../texts/payouts.ts';

/** Links between the pages about a payout. Only admins may read events. */
export function PayoutLinks({ id }: { id: string }) {
  const { role } = useMember();
  if (!roleAtLeast(role, 'admin')) return null;
  const sections = [
    { path: `/payouts/${id}`, label: t.summary },
    { path: `/payouts/${id}/events`, label: events.events },
  ];
  return <SectionLinks label={t.pagesOfPayout} sections={sections} />;
}
