import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './cells.module.css';

interface RecordLinkProps {
  to: string;
  children: ReactNode;
  strong?: boolean;
  title?: string;
  /** True for a link within a sentence, which must be recognizable without its color. */
  inText?: boolean;
}

/** A link in a list to the page of a record. */
export function RecordLink({ to, children, strong, title, inText }: RecordLinkProps) {
  return (
    <Link to={to} title={title} className={classes['link']} data-strong={strong || undefined} data-in-text={inText || undefined}>
      {children}
    </Link>
  );
}

/** A cell with a name and, below it, an email address. */
export function Who({ children }: { children: ReactNode }) {
  return <div className={classes['who']}>{children}</div>;
}

/** The second line of a cell, below its value. */
export function CellNote({ children }: { children: ReactNode }) {
  return <div className={classes['note']}>{children}</div>;
}

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  /** True if the checkbox stands for several rows, of which some are selected. */
  isPartial?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox that selects a row, or all rows. */
export function RowCheckbox({ label, checked, isPartial = false, disabled = false, onChange }: RowCheckboxProps) {
  return (
    <input
      ref={(input) => void (input && (input.indeterminate = isPartial))}
      type="checkbox"
      className={classes['checkbox']}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function RowActions({ children }: { children: ReactNode }) {
  return <div className={classes['actions']}>{children}</div>;
}

interface RowButtonProps {
  action: string;
  /** The action and the record, for screen readers. */
  label: string;
  onClick: () => void;
  isBusy?: boolean;
  look?: 'primary' | 'dangerous';
}

/** A button in a row, for an action on its record. */
export function RowButton({ action, label, onClick, isBusy = false, look }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes['action']}
      aria-label={label}
      disabled={isBusy}
      data-primary={look === 'primary' || undefined}
      data-dangerous={look === 'dangerous' || undefined}
      onClick={onClick}
    >
      {action}
    </button>
  );
}
