export interface Series {
  readonly label: string;
  /** Which of the four chart colours. */
  readonly colour: 1 | 2 | 3 | 4;
  readonly isDashed?: boolean;
  readonly isBar?: boolean;
  readonly values: readonly (number | null)[];
}
