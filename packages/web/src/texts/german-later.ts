/** Like `german.ts`: the texts of those pages and dialogs that are loaded on demand. */
export default {};
