import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconAndText } from '../components/icon.tsx';
import { t } from '../texts/layout.ts';

export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => setColorScheme(next)}
      aria-label={t.switchTo({ scheme: next === 'dark' ? t.dark : t.light })}
    >
      <IconAndText name={next} text={next === 'dark' ? t.dark : t.light} />
    </Button>
  );
}
