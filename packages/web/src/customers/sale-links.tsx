import { RecordTabs } from '../records/record-tabs.tsx';
import { t } from '../texts/customers.ts';

/** Links between the pages about a sale. */
export function SaleLinks({ id }: { id: string }) {
  const path = `/customers/sales/${id}`;
  return <RecordTabs label={t.pagesOfSale} id={id} path={path} sections={[{ path, label: t.summary }]} />;
}
