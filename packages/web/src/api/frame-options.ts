/** How the page that contains the frame wants the portal (`data-language` and others of the loader). Empty outside a frame. */
const asked = new URLSearchParams(
  typeof window !== 'undefined' && window.location.pathname === '/embed' ? window.location.search : '',
);

const MAX_RADIUS = 24;
/** Names of fonts, without anything that could end a declaration of a style sheet. */
const FONTS = /^[\p{L}\p{N} ,"'-]{1,200}$/u;
/** The last part of a page's path. */
const PAGE = /^[a-z-]{1,30}$/;

/** Language of the portal, or null if the reader's browser decides. */
export const frameLanguage: string | null = asked.get('language');

/** Page that the portal opens with: the last part of its path. Empty for the home page. */
export const framePage: string = pageNamed(asked.get('page')) ?? '';

/** The pages that the navigation shows, or null for all. */
export const framePages: readonly string[] | null =
  asked
    .get('pages')
    ?.split(',')
    .flatMap((name) => pageNamed(name.trim()) ?? []) ?? null;

function pageNamed(name: string | null): string | null {
  if (name === null || !PAGE.test(name)) return null;
  return name === 'home' ? '' : name;
}

/** Returns the theme that the containing page asks for. */
export function frameTheme(): { fontFamily?: string; radius?: Record<'sm' | 'md', string> } {
  const [font, radius] = [asked.get('font') ?? '', Number(asked.get('radius') ?? Number.NaN)];
  return {
    ...(FONTS.test(font) ? { fontFamily: font } : {}),
    ...(radius >= 0 && radius <= MAX_RADIUS ? { radius: { sm: `${radius}px`, md: `${radius}px` } } : {}),
  };
}
