import { t } from '../texts/components.ts';
import classes from './cells.module.css';

/** Marks a record of the payment provider's test mode. Live records have no mark. */
export function ModeBadge({ livemode }: { livemode: boolean }) {
  if (livemode) return null;
  return <span className={classes['badge']}>{t.testMode}</span>;
}
