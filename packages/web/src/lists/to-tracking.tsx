import { roleAtLeast } from '@affiliate/core/browser';
import { ActionLink } from '../components/action-link.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/lists.ts';

/** A link to the page that sets up what creates customers, sales and commissions, for those who may open it. */
export function ToTracking() {
  return roleAtLeast(useMember().role, 'admin') && <ActionLink to="/settings/tracking">{t.setUpTracking}</ActionLink>;
}
