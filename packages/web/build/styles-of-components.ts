import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';

/** A module of the component library that holds the class names of a component. */
const CLASS_NAMES = /^(.*\/@mantine\/core)\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Adds to each component of the library its style sheet, so that a page loads the styles of those components that it loads. A component imports the
 * components on which it is built before its class names, so their style sheets come first. The development server does without, because
 * `src/styles.ts` loads the complete style sheet there.
 */
export function stylesOfComponents(): Plugin {
  return {
    name: 'styles-of-components',
    apply: 'build',
    transform(code, id) {
      const [, library, name] = CLASS_NAMES.exec(id) ?? [];
      if (library === undefined) return null;
      // In a layer, where the style sheets of the pages override it, whichever is loaded first.
      const sheet = `${library}/styles/${name}.layer.css`;
      return existsSync(sheet) ? { code: `import '${sheet}';\n${code}`, map: null } : null;
    },
  };
}
