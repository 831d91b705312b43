import type { ReactNode } from 'react';
import classes from './panels.module.css';

/** The panels of a page with settings: one column, or two on a wide screen. */
export function Panels({ children }: { children: ReactNode }) {
  return <div className={classes['panels']}>{children}</div>;
}
