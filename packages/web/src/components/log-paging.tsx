import { Anchor, Button, Group } from '@mantine/core';

interface Step {
  label: string;
  /** Null if there is nothing to go to. */
  go: (() => void) | null;
}

/** Leads from a page of a log to older entries, and back to the latest ones. */
export function LogPaging({ latest, older }: { latest: Step; older: Step }) {
  return (
    <Group>
      {latest.go !== null && (
        <Anchor component="button" type="button" onClick={latest.go}>
          {latest.label}
        </Anchor>
      )}
      {older.go !== null && (
        <Button variant="default" onClick={older.go}>
          {older.label}
        </Button>
      )}
    </Group>
  );
}
