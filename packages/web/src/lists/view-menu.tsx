import { Button, Checkbox, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import type { Sorting } from '../components/record-table.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/lists.ts';
import { useParameters } from './address.ts';
import type { ListColumn } from './list-column.ts';

export interface ViewMenuProps {
  /** All columns. The menu does not show their cells. */
  columns: readonly Omit<ListColumn<never>, 'cell'>[];
  shown: readonly { name: string }[];
  sorting: Sorting | undefined;
}

/** A menu, opened at once, for the columns and the order of a list. On narrow screens, where the list has no headers, only this menu can sort it. */
export function ViewMenu({ columns, shown, sorting }: ViewMenuProps) {
  const [opened, menu] = useDisclosure();
  const { open } = menu;
  // Opened only when the button has the focus, to which the menu returns it.
  useEffect(open, [open]);
  const [, change] = useParameters();
  const { account } = useMember();
  const isUsual = (names: string[]) => columns.every(({ name, isExtra }) => names.includes(name) === !isExtra);
  const inAddress = shown.map(({ name }) => name).join();
  // The address changes in a transition, which takes a moment. Until then this state holds the user's choice, so that a second click builds
  // on it.
  const [chosen, choose] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  if (known !== inAddress) {
    setKnown(inAddress);
    choose(inAddress);
  }
  const show = (names: string[]) => {
    if (names.length === 0) return;
    const inOrder = columns.map(({ name }) => name).filter((name) => names.includes(name));
    choose(inOrder.join());
    change({ columns: isUsual(inOrder) ? '' : inOrder.join() });
  };
  const obstacleTo = (sort: string) => sorting?.obstacleTo?.(sort);
  const sorts = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort}`, label: t.descending({ column: header }), disabled: obstacleTo(sort) !== undefined },
          { value: sort, label: t.ascending({ column: header }), disabled: obstacleTo(sort) !== undefined },
        ],
  );
  const obstacles = new Set(columns.flatMap(({ sort }) => (sort === undefined ? [] : (obstacleTo(sort) ?? []))));
  return (
    <Popover opened={opened} onDismiss={menu.close} position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          px={6}
          title={t.view}
          aria-label={t.view}
          autoFocus
          onClick={menu.toggle}
        >
          <Icon name="view" />
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.view}>
        <Stack gap="xs">
          {sorting && sorts.length > 0 && (
            <NativeSelect
              label={t.sortedBy}
              value={sorting.sort}
              data={sorts}
              description={obstacles.size > 0 ? [...obstacles].join(' ') : undefined}
              onChange={(event) => sorting.choose(event.currentTarget.value)}
            />
          )}
          <Checkbox.Group label={t.columns} value={chosen.split(',')} onChange={show}>
            <Stack gap={6} mt={4}>
              {columns.map((column) => (
                <Checkbox key={column.name} value={column.name} label={column.header} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Text size="xs" c="dimmed">
            {t.timesAreIn({ timeZone: account.time_zone })}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
