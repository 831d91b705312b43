import { texts } from './catalogue.ts';

export const t = texts('loading', {
  loading: { en: 'Loading', de: 'Wird geladen' },
});
