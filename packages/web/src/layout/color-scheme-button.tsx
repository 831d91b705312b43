import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Button variant="default" size="compact-sm" onClick={() => setColorScheme(next)} aria-label={`Switch to ${next} mode`}>
      {next === 'dark' ? 'Dark' : 'Light'}
    </Button>
  );
}
