/**
 * The German texts that an entry of the pages needs. The build puts them here (build/texts-by-language.ts). Without a build, every area has both
 * languages itself.
 */
export default {};
