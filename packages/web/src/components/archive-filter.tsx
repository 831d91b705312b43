import { t } from '../texts/archive.ts';
import { Filter, useChoice } from './filter.tsx';

const NAME = 'archived';

/** Returns whether the address filters for archived records. */
export function useArchived(): boolean {
  return useChoice(NAME, ['yes'] as const) === 'yes';
}

/** Switches a list between active and archived records. */
export function ArchiveFilter() {
  return <Filter label={t.show} name={NAME} all={t.notArchived} options={[{ value: 'yes', label: t.archived }]} />;
}
