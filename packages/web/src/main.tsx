import { askForFirstView, loadFirstView } from './first-view.ts';

askForFirstView();
loadFirstView();
await import('./app.tsx');
