import { FocusTrap } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useContext, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from '../components/icon.tsx';
import { LookedAt, PagesByPath } from '../components/looked-at.tsx';
import { lookButtonId } from '../components/record-table.tsx';
import { pathOf } from '../records/paths.ts';
import { t as components } from '../texts/components.ts';
import { t } from '../texts/lists.ts';
import classes from './look-panel.module.css';

/** Fields, which have a use of their own for the arrow keys. */
const FIELDS = ['input', 'select', 'textarea'].join();

interface LookPanelProps {
  /** Id of the record. */
  at: string;
  /** Ids of the records of the list, in its order. */
  keys: readonly string[];
  show: (id: string) => void;
  close: () => void;
}

/**
 * Shows a record of a list: its page, without what only the page has space for. Beside the list on a wide screen, where the list stays in use; otherwise
 * as a sheet over it. The arrow keys go through the list.
 */
export function LookPanel({ at, keys, show, close }: LookPanelProps) {
  const isSheet = useMediaQuery('(max-width: 79.99em)', undefined, { getInitialValueInEffect: false });
  const panel = useRef<HTMLElement>(null);
  useFocusInPanel(panel, at);
  const place = keys.indexOf(at);
  const step = (by: 1 | -1) => {
    const next = place < 0 ? undefined : keys[place + by];
    if (next !== undefined) show(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, currentTarget, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event;
    // React also reports keys in dialogs that the record has opened.
    if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey || !currentTarget.contains(target as Node)) return;
    if (key.toLowerCase() === 'escape') close();
    else if ((target as Element).closest(FIELDS) === null && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      step(key === 'ArrowDown' ? 1 : -1);
    }
  };
  const path = pathOf(at);
  const Content = useContext(PagesByPath).get(path?.replace(/[^/]+$/, ':id') ?? '');
  return (
    <FocusTrap active={isSheet} innerRef={panel}>
      <section
        tabIndex={-1}
        aria-label={components.quickLook}
        className={classes['panel']}
        {...(isSheet ? { role: 'dialog', 'aria-modal': true } : {})}
        onKeyDown={onKeyDown}
      >
        <div className={classes['bar']}>
          <Step icon="up" label={t.previousRecord} isPossible={place > 0} onClick={() => step(-1)} />
          <Step icon="down" label={t.nextRecord} isPossible={place >= 0 && place < keys.length - 1} onClick={() => step(1)} />
          <span role="status" className={classes['place']}>
            {place >= 0 && t.position({ at: String(place + 1), count: String(keys.length) })}
          </span>
          {path !== null && (
            <Link to={path} className={classes['page']}>
              {t.openPage}
            </Link>
          )}
          <button type="button" className={classes['act']} aria-label={components.close} title={components.close} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <div className={classes['record']}>
          <LookedAt value={at}>{Content ? <Content key={at} /> : components.notFound}</LookedAt>
        </div>
      </section>
    </FocusTrap>
  );
}

/** A button to the record before or after. It keeps the focus at the end of the list. */
function Step(props: { icon: IconName; label: string; isPossible: boolean; onClick: () => void }) {
  const { icon, label, isPossible, onClick } = props;
  return (
    <button
      type="button"
      className={classes['act']}
      aria-label={label}
      title={label}
      aria-disabled={!isPossible || undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Takes the focus when a record is shown, keeps its row in view, and returns the focus to the row when the panel closes. */
function useFocusInPanel(panel: { current: HTMLElement | null }, at: string): void {
  const shown = useRef(at);
  useEffect(() => {
    shown.current = at;
    const { current } = panel;
    if (current && !current.contains(document.activeElement)) current.focus({ preventScroll: true });
    current?.scrollTo(0, 0);
    document.getElementById(lookButtonId(at))?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  }, [panel, at]);
  useEffect(
    () => () => {
      if ((document.activeElement ?? document.body) !== document.body) return;
      document.getElementById(lookButtonId(shown.current))?.focus({ preventScroll: true });
    },
    [],
  );
}
