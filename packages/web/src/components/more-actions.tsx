import { Button, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { t } from '../texts/components.ts';
import { Icon } from './icon.tsx';
import classes from './more-actions.module.css';

/**
 * A menu of the rarer acts of a page: buttons and links. They stay mounted while the menu is closed, so that each can open a dialog. The menu has the
 * focus again before the dialog opens, so that the dialog returns the focus to it.
 */
export function MoreActions({ children }: { children: ReactNode }) {
  const [opened, menu] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const choose = () => {
    button.current?.focus();
    menu.close();
  };
  return (
    <Popover
      opened={opened}
      onDismiss={menu.close}
      position="bottom-end"
      withinPortal={false}
      keepMounted
      // React does not run the effects of a hidden `Activity`, and a dialog that opens there would not be shown.
      keepMountedMode="display-none"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button ref={button} variant="default" leftSection={<Icon name="more" />} onClick={menu.toggle}>
          {t.more}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t.more} aria-hidden={!opened}>
        <Stack gap={2} className={classes['actions']} onClickCapture={choose}>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
