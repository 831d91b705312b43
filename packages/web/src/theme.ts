import { Alert, type CSSVariablesResolver, Notification, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  // Of those who ask for less motion, nothing is moved.
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  // A dialog's header element is not the banner of the page.
  components: {
    ModalHeader: { defaultProps: { role: 'none' } },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
  },
});

/** The library's colours for lesser text and for errors fall short of a contrast of 4.5 to 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: lesserText('gray-7', 'red-9'),
  dark: lesserText('dark-1', 'red-4'),
});

function lesserText(grey: string, red: string): Record<string, string> {
  return {
    '--mantine-color-dimmed': `var(--mantine-color-${grey})`,
    '--mantine-color-placeholder': `var(--mantine-color-${grey})`,
    '--mantine-color-error': `var(--mantine-color-${red})`,
  };
}
