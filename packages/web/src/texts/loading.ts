import { texts } from './catalogue.ts';

export const t = texts({
  loading: { en: 'Loading', de: 'Wird geladen' },
});
