import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { IconAndText } from '../components/icon.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/layout.ts';
import { hasSingleKeys } from './shortcuts.ts';

const SearchDialog = partOnDemand(async () => (await import('./search-dialog.tsx')).SearchDialog);
const HelpDialog = partOnDemand(async () => (await import('./help-dialog.tsx')).HelpDialog);

const KEYS = ['Control+K', 'Meta+K'].join(' ');
/** Longest time between the two keys of a shortcut. */
const PAIR_MS = 1_000;

/** Opens the search on a click or by keyboard. Also handles all other shortcuts. */
export function SearchButton() {
  const [opened, open] = useState<'search' | 'help' | null>(null);
  const navigate = useNavigate();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const openPageOf = async (key: string) => {
      const { pageOfKey } = await import('./shortcuts.ts');
      const path = pageOfKey(key);
      if (path !== undefined) await navigate(path);
    };
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open('search');
        return;
      }
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
      if (!isPlain || isTyping(event.target) || !hasSingleKeys()) return;
      if (event.key === '?') open('help');
      else if (event.timeStamp - pressedG.current < PAIR_MS) {
        const key = event.key.toLowerCase();
        void openPageOf(key);
      }
      pressedG.current = event.key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);

  const close = () => open(null);
  return (
    <>
      <Button variant="default" size="compact-sm" aria-keyshortcuts={KEYS} title={t.searchKeys} onClick={() => open('search')}>
        <IconAndText name="search" text={t.search} />
      </Button>
      {opened === 'search' && <SearchDialog onClose={close} />}
      {opened === 'help' && <HelpDialog onClose={close} />}
    </>
  );
}

const FIELDS = ['input', 'textarea', 'select', '[contenteditable]', '[role="dialog"]'].join();

/** True if the key was pressed in a field or a dialog. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
