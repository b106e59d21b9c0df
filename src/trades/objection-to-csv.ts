/** Why a file cannot be the CSV of a person who prepared it in a spreadsheet; null if nothing speaks against it. */
export function objectionToCsv(csv: string): string | null {
  const [heads = ""] = csv
    .replace(/^\uFEFF/, "")
    .trimStart()
    .split(/[\r\n]/, 1);
  if (heads === "") return "the file is empty: its first line must name the columns";
  // A decoder puts this character where the bytes are not UTF-8.
  if (csv.includes("\uFFFD")) return 'the file is not UTF-8 text: save it as "CSV UTF-8"';
  if (/[;\t]/.test(heads) && !heads.includes(","))
    return "the columns must be separated by commas, not by semicolons or tabs";
  return null;
}
