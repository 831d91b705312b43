import { Alert, type CSSVariablesResolver, Notification, createTheme } from '@mantine/core';
import { t } from './texts/components.ts';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  // Turns off animations for users who prefer reduced motion.
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  // With its default role, the header element of a dialog would count as the page's banner.
  components: {
    ModalHeader: { defaultProps: { role: 'none' } },
    // The title may contain a record's name, which can be one long word.
    Modal: { styles: { title: { minWidth: 0, overflowWrap: 'anywhere' } } },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': t.close } } }),
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
  },
});

/** Replaces the library's colors for dimmed text and errors, whose contrast is below 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: dimmedText('gray-7', 'red-9'),
  dark: dimmedText('dark-1', 'red-4'),
});

function dimmedText(grey: string, red: string): Record<string, string> {
  return {
    '--mantine-color-dimmed': `var(--mantine-color-${grey})`,
    '--mantine-color-placeholder': `var(--mantine-color-${grey})`,
    '--mantine-color-error': `var(--mantine-color-${red})`,
  };
}
