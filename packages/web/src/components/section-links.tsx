import { Anchor, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './section-links.module.css';

interface SectionLinksProps {
  /** Accessible name of the navigation. */
  label: string;
  sections: { path: string; label: string }[];
}

/** Links between the pages of a section, in one row. The row scrolls to the current page if it does not fit. */
export function SectionLinks({ label, sections }: SectionLinksProps) {
  const { pathname } = useLocation();
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return (
    <Group ref={row} component="nav" aria-label={label} className={classes['sections']}>
      {sections.map((section) => (
        <Anchor
          key={section.path}
          component={Link}
          to={section.path}
          underline="never"
          c="var(--mantine-color-text)"
          className={classes['section']}
          aria-current={pathname === section.path ? 'page' : undefined}
        >
          {section.label}
        </Anchor>
      ))}
    </Group>
  );
}
