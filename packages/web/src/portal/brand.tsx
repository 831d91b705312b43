import {
  Button,
  Group,
  type MantineThemeOverride,
  Text,
  createTheme,
  defaultVariantColorsResolver,
  mergeThemeOverrides,
} from '@mantine/core';
import { useLayoutEffect } from 'react';
import type { Outputs } from '../api/client.ts';
import { theme } from '../theme.ts';
import classes from './portal-layout.module.css';

type Brand = Outputs['portal']['self']['brand'];

/** The theme of the affiliates' pages. Buttons have the merchant's color, with a readable text color. */
export const portalTheme: MantineThemeOverride = mergeThemeOverrides(
  theme,
  createTheme({
    // Mantine uses the resolved background only for buttons that set a variant or a color.
    components: { Button: Button.extend({ defaultProps: { variant: 'filled' } }) },
    variantColorResolver: (input) => {
      const colors = defaultVariantColorsResolver(input);
      if (input.variant !== 'filled' || input.color !== input.theme.primaryColor) return colors;
      return {
        ...colors,
        background: `var(--brand, ${colors.background})`,
        hover: `var(--brand, ${colors.hover})`,
        color: `var(--brand-text, ${colors.color})`,
      };
    },
  }),
);

/** Applies a merchant's colors to this page. */
export function useBrand({ color, text_color }: Brand): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (color === null || text_color === null) return;
    style.setProperty('--brand', color);
    style.setProperty('--brand-text', text_color);
  }, [color, text_color]);
}

/** Shows a merchant's logo and name. */
export function BrandName({ name, brand }: { name: string; brand: Brand }) {
  return (
    <Group gap="xs" wrap="nowrap" className={classes['brand'] ?? ''}>
      {brand.logo_path !== null && <img src={brand.logo_path} alt="" className={classes['logo']} />}
      <Text fw={600} truncate>
        {name}
      </Text>
    </Group>
  );
}
