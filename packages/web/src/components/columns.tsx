import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './columns.module.css';

/**
 * A wide column and a narrow one beside it. On a page with only one column the narrow one comes first, because it has what people look up and act on.
 */
export function Columns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['columns']}>
      <Stack className={classes['aside']}>{aside}</Stack>
      <Stack gap="lg" miw={0}>
        {children}
      </Stack>
    </div>
  );
}
