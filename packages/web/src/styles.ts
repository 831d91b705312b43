/** The style sheets on which those of all components are based. The build adds those of components to their code (build/styles-of-components.ts). */
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './base.css';

if (import.meta.env.DEV) await import('@mantine/core/styles.layer.css');
