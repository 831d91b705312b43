import { t } from '../texts/en/archive.ts';
import { Filter, useChoice } from './filter.tsx';

const NAME = 'archived';

/** Tells whether the address asks for archived records. */
export function useArchived(): boolean {
  return useChoice(NAME, ['yes'] as const) === 'yes';
}

/** Shows archived records in place of the others. */
export function ArchiveFilter() {
  return <Filter label={t.show} name={NAME} all={t.notArchived} options={[{ value: 'yes', label: t.archived }]} />;
}
