import { RecordTabs } from '../records/record-tabs.tsx';
import { t } from '../texts/commissions.ts';

/** Links between the pages about a commission. */
export function CommissionLinks({ id }: { id: string }) {
  const path = `/commissions/${id}`;
  return <RecordTabs label={t.pagesOfCommission} id={id} path={path} sections={[{ path, label: t.summary }]} />;
}
