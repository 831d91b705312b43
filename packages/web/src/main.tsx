import { askForFirstView, loadFirstView } from './first-view.ts';
import { loadTexts } from './texts/catalogue.ts';

askForFirstView();
// The texts first: modules of pages read them when they are loaded.
await loadTexts({ de: () => import('./texts/de/index.ts') });
loadFirstView();
await import('./app.tsx');
