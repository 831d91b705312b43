import { Anchor, Group } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import classes from './section-links.module.css';

interface SectionLinksProps {
  /** Accessible name of the navigation. */
  label: string;
  sections: { path: string; label: string }[];
}

/** Links between the pages of a section. */
export function SectionLinks({ label, sections }: SectionLinksProps) {
  const { pathname } = useLocation();
  return (
    <Group component="nav" aria-label={label} className={classes['sections']}>
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
