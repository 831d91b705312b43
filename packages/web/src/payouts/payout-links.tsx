import { RecordTabs } from '../records/record-tabs.tsx';
import { t } from '../texts/payouts.ts';

/** Links between the pages about a payout. */
export function PayoutLinks({ id }: { id: string }) {
  const path = `/payouts/${id}`;
  return <RecordTabs label={t.pagesOfPayout} id={id} path={path} sections={[{ path, label: t.summary }]} />;
}
