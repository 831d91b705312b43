/** Adds the field to the sources that this process loads. Not for tests, because several test files share a process. */
import { registerHooks } from 'node:module';
import { withField } from './added-field.ts';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const source =
      url.endsWith('.ts') && loaded.source ? withField(url, Buffer.from(loaded.source as Uint8Array).toString()) : null;
    return source === null ? loaded : { ...loaded, source };
  },
});
