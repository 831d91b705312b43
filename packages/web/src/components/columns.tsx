import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsLook } from './looked-at.tsx';
import classes from './columns.module.css';

interface ColumnsProps {
  aside: ReactNode;
  /** True if the narrow column comes first on a page with only one column, because it has what needs a person. */
  asideFirst?: boolean;
  children: ReactNode;
}

/** A wide column and a narrow one beside it. On a page with only one column, the wide one comes first, because a record opens with its story. */
export function Columns({ aside, asideFirst = false, children }: ColumnsProps) {
  const narrow = <Stack className={classes['aside']}>{aside}</Stack>;
  const isLook = useIsLook();
  return (
    <div className={isLook ? classes['narrow'] : classes['columns']}>
      {asideFirst && narrow}
      <Stack gap="lg" miw={0}>
        {children}
      </Stack>
      {!asideFirst && narrow}
    </div>
  );
}
