/** What the API knows of keeping and erasing. */
export interface ErasureReport {
  readonly person: string;
  readonly isDryRun: boolean;
  readonly erased: { readonly place: string; readonly count: number }[];
  readonly redacted: { readonly place: string; readonly count: number }[];
  readonly kept: { readonly place: string; readonly item: string; readonly reason: string }[];
  /** Where the address still occurs in the database, for instance in something that is held. */
  readonly remains: { readonly place: string; readonly count: number }[];
}

export type ErasePerson = (asked: {
  readonly address: string;
  readonly by: string;
  readonly isDryRun: boolean;
}) => Promise<ErasureReport>;
