import { Button, type ButtonProps, FocusTrap, Paper } from '@mantine/core';
import { getHotkeyHandler, useClickOutside, useDisclosure } from '@mantine/hooks';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { t } from '../texts/components.ts';
import { Icon } from './icon.tsx';
import classes from './more-actions.module.css';

interface MoreActionsProps {
  /** The record that the acts are about, for screen readers. Undefined for the record of the page. */
  subject?: string;
  /** Size of the button that opens the menu. */
  size?: ButtonProps['size'];
  children: ReactNode;
}

/**
 * A menu of the rarer acts of a page or of a row: buttons and links. They stay mounted while the menu is closed, so that each can open a dialog and keep the
 * answer that it shows. The menu has the focus again before the dialog opens, so that the dialog returns the focus to it.
 */
export function MoreActions({ subject, size = 'sm', children }: MoreActionsProps) {
  const [opened, menu] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const around = useClickOutside(menu.close);
  const leave = () => {
    button.current?.focus();
    menu.close();
  };
  const choose = ({ currentTarget, target }: MouseEvent) => {
    // React also reports clicks in the dialogs that the acts have opened.
    if (currentTarget.contains(target as Node)) leave();
  };
  return (
    <div ref={around} className={classes['around']} onKeyDown={opened ? getHotkeyHandler([['escape', leave]]) : undefined}>
      <Button
        ref={button}
        size={size}
        variant="default"
        leftSection={<Icon name="more" />}
        aria-label={subject === undefined ? undefined : t.moreOf({ name: subject })}
        aria-expanded={opened}
        onClick={menu.toggle}
      >
        {t.more}
      </Button>
      <FocusTrap active={opened}>
        <Paper className={classes['actions']} withBorder shadow="md" p={4} hidden={!opened} onClickCapture={choose}>
          {children}
        </Paper>
      </FocusTrap>
    </div>
  );
}
