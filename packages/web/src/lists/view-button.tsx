import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/lists.ts';
import type { ViewMenuProps } from './view-menu.tsx';

const ViewMenu = partOnDemand(async () => (await import('./view-menu.tsx')).ViewMenu, <ClosedButton />);

/** A button that opens the menu for the columns and the order of a list. The menu has its own button, which takes the place of this one. */
export function ViewButton(props: ViewMenuProps) {
  const [wanted, want] = useDisclosure();
  return wanted ? <ViewMenu {...props} /> : <ClosedButton onClick={want.open} />;
}

function ClosedButton({ onClick }: { onClick?: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" aria-haspopup="dialog" aria-expanded={false} onClick={onClick}>
      {t.view}
    </Button>
  );
}
