import { walkFromMode } from './walk-modes.ts';

walkFromMode('test');
