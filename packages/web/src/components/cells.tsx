import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icon.tsx';
import classes from './cells.module.css';

interface RecordLinkProps {
  to: string;
  children: ReactNode;
  strong?: boolean;
  title?: string;
  /** True for a link within a sentence, which must be recognizable without its color. */
  inText?: boolean;
  /** True if a long text is cut, so that the row stays one line. The title shows all of it. */
  isCut?: boolean;
}

/** A link in a list to the page of a record. */
export function RecordLink({ to, children, strong, title, inText, isCut }: RecordLinkProps) {
  return (
    <Link
      to={to}
      title={title}
      className={classes['link']}
      data-strong={strong || undefined}
      data-in-text={inText || undefined}
      data-cut={isCut || undefined}
    >
      {children}
    </Link>
  );
}

/** A person with the initials of their name, in a color of their own: the name, and beside it the email address as far as there is space. */
export function Who({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  return (
    <div className={classes['who']}>
      <span className={classes['initials']} style={{ '--hue': hueOf(id) } as CSSProperties} aria-hidden>
        {initialsOf(name)}
      </span>
      <div className={classes['person']}>{children}</div>
    </div>
  );
}

/** A payment provider or a payout method: its name, after a tile with its first letter in a color of its own, because logos belong to others. */
export function Branded({ kind, name }: { kind: string; name: string }) {
  return (
    <span className={classes['branded']}>
      <span
        className={classes['initials']}
        data-tile={initialsOf(name).slice(0, 1)}
        style={{ '--hue': hueOf(kind) } as CSSProperties}
        aria-hidden
      />
      {name}
    </span>
  );
}

const HUES = 24;

/** Returns an angle of the color wheel, the same one for the same id. The last characters of an id are random. */
function hueOf(id: string): number {
  return (Number.parseInt(id.slice(-4), 36) % HUES) * (360 / HUES) || 0;
}

function initialsOf(name: string): string {
  // The first letter of a word may be two units long.
  const letters = [...name.matchAll(/(?:^|[\s.@_-])([^\s.@_-])/gu)].map(([, letter]) => letter!.toUpperCase());
  return letters.slice(0, 2).join('');
}

/** Values of a cell that stand beside each other if there is space. */
export function CellLine({ children }: { children: ReactNode }) {
  return <div className={classes['line']}>{children}</div>;
}

/** The explanation of a cell's value: below the value, or beside it in a `CellLine`. A short note never wraps, a long one begins a line. */
export function CellNote({ children, isShort, isLong }: { children: ReactNode; isShort?: boolean; isLong?: boolean }) {
  return (
    <div className={classes['note']} data-short={isShort || undefined} data-long={isLong || undefined}>
      {children}
    </div>
  );
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
  /** Icon of an act that is not the expected one. A wide table shows only the icon. */
  icon?: IconName;
}

/** A button in a row, for an action on its record. */
export function RowButton({ action, label, onClick, isBusy = false, look, icon }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes['action']}
      aria-label={label}
      disabled={isBusy}
      data-primary={look === 'primary' || undefined}
      data-dangerous={look === 'dangerous' || undefined}
      data-icon={icon}
      {...(icon ? { title: action } : {})}
      onClick={onClick}
    >
      {icon ? (
        <>
          <Icon name={icon} />
          <span className={classes['text']}>{action}</span>
        </>
      ) : (
        action
      )}
    </button>
  );
}
