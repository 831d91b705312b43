import { loadTexts } from '../texts/catalogue.ts';

// The texts first: modules of pages read them when they are loaded.
await loadTexts({ de: () => import('../texts/de/portal-entry.ts') });
await import('./app.tsx');
