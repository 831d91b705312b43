import { Alert, Button, Group } from '@mantine/core';
import { refusalOf } from '../api/refusal.ts';

/** What went wrong, in the service's words. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" role="alert" title={refusalOf(error).message} my="md">
      {retry && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
