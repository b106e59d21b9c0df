/** The query of a page's URL: text, with the API's names. */
export type Search = Readonly<Record<string, string | undefined>>;
