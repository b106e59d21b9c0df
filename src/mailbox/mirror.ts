/** A copy of delta links and folder names for other programs. We never read it, and its failure never fails our work. */
export interface Mirror {
  /** Null removes the link. */
  cursor(mailbox: number, folderId: string, link: string | null): Promise<void>;
  folders(mailbox: number, names: ReadonlyMap<string, string>): Promise<void>;
}
