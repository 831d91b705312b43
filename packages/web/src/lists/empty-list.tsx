import { roleAtLeast } from '@affiliate/core/browser';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ActionLink } from '../components/action-link.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import type { IconName } from '../components/icon.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/lists.ts';

interface EmptyListProps {
  picture: IconName;
  title: string;
  /** True if filters may hide records. Then the one act is to remove them. */
  isFiltered: boolean;
  /** Says that no record matches the filters. */
  noMatches: string;
  /** How to get the first record. */
  action?: ReactNode;
  /** Says where records come from. */
  children: ReactNode;
}

/** Shown instead of a list without records. */
export function EmptyList({ picture, title, isFiltered, noMatches, action, children }: EmptyListProps) {
  const { pathname } = useLocation();
  if (isFiltered) {
    return (
      <EmptyState picture="search" title={title} action={<ActionLink to={pathname}>{t.showAll}</ActionLink>}>
        {noMatches}
      </EmptyState>
    );
  }
  return (
    <EmptyState picture={picture} title={title} action={action}>
      {children}
    </EmptyState>
  );
}

/** A link to the page that sets up what creates customers, sales and commissions, for those who may open it. */
export function ToTracking() {
  return roleAtLeast(useMember().role, 'admin') && <ActionLink to="/settings/tracking">{t.setUpTracking}</ActionLink>;
}
