import { Alert, Button, type CSSVariablesResolver, Notification, createTheme } from '@mantine/core';
import { BusyButton } from './components/busy-button.tsx';
import { t } from './texts/components.ts';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  // Turns off animations for users who prefer reduced motion.
  respectReducedMotion: true,
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '10px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  // In rem, so that the size that people have set in their browser counts. 1 rem is 16 px by default.
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '0.9375rem', xl: '1.5rem' },
  lineHeights: { xs: '1.334', sm: '1.385', md: '1.43', lg: '1.467', xl: '1.334' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.334' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.467' },
    },
  },
  // With its default role, the header element of a dialog would count as the page's banner.
  components: {
    Button: Button.extend({ defaultProps: { component: BusyButton } satisfies { component: unknown } }),
    ModalHeader: { defaultProps: { role: 'none' } },
    // The title may contain a record's name, which can be one long word.
    Modal: { styles: { title: { minWidth: 0, overflowWrap: 'anywhere' } } },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': t.close } } }),
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
  },
});

/**
 * Replaces colors of the library: of dimmed text and errors, whose contrast is below 4.5:1, and of lines. Lines between panels and rows are faint; the
 * border of a field must be seen (3:1), because it shows where to type.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  // Required fields are marked by a word (base.css).
  variables: { '--required': JSON.stringify(` ${t.required}`) },
  light: colors({ dimmed: 'gray-7', error: 'red-9', line: 'gray-3', field: 'gray-6' }),
  dark: colors({ dimmed: 'dark-1', error: 'red-4', line: 'dark-5', field: 'dark-2' }),
});

function colors({ dimmed, error, line, field }: Record<'dimmed' | 'error' | 'line' | 'field', string>): Record<string, string> {
  return {
    '--mantine-color-dimmed': `var(--mantine-color-${dimmed})`,
    '--mantine-color-placeholder': `var(--mantine-color-${dimmed})`,
    '--mantine-color-error': `var(--mantine-color-${error})`,
    '--mantine-color-default-border': `var(--mantine-color-${line})`,
    '--field-border': `var(--mantine-color-${field})`,
  };
}
