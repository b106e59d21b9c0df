/** The query of a page's URL: text, with the API's names. */
export type Search = Readonly<Record<string, string | undefined>>;

/**
 * Whether something opens that the list did not show before: then the browser's way back closes it again. On a phone it
 * covers the list, and the way back would otherwise leave the page.
 */
export const opensDrawer = (before: string | undefined, next: string | undefined): boolean =>
  before === undefined && next !== undefined;
