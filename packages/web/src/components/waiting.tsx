import { Center, Loader } from '@mantine/core';

export function Waiting() {
  return (
    <Center mih={160} role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}
