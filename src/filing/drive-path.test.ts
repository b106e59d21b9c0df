import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachmentPath, checkDrivePath, emlFileName, emlPath, uploadPath } from "./drive-path.ts";

const DAY = new Date("2026-02-17T23:30:00Z");

it.each(["Q#3 report.pdf", "100 %.pdf", "a%20b.pdf"])(
  "a name that SharePoint takes is taken: %s",
  (name) => {
    expect(checkDrivePath(`documents/${name}`)).toEqual({ path: `documents/${name}` });
  },
);

it.each([
  ["no name at all", "/", /must end with a file name/],
  ["no name at the end", "documents/", /must end with a file name/],
  ["an empty folder", "documents//x.pdf", /name ""/],
  ["a folder above", "documents/../x.pdf", /name "\.\."/],
  ["the folder itself", "documents/./x.pdf", /name "\."/],
  ["a character that SharePoint forbids", "documents/a:b.pdf", /name "a:b\.pdf"/],
  ["half a surrogate pair", "documents/\ud800.pdf", /does not accept/],
  ["a reserved name", "documents/nul", /name "nul"/],
  ["a space at the end", "documents/x.pdf ", /name "x\.pdf "/],
  ["a dot at the end", "documents/x.", /name "x\."/],
  ["a name of 256 bytes", `documents/${"é".repeat(128)}`, /does not accept/],
  ["more than 400 characters", `${"abcdefg/".repeat(50)}x`, /longer than 400/],
])("a path with %s is refused [S49]", (_, path, problem) => {
  expect(checkDrivePath(path)).toEqual({ problem: expect.stringMatching(problem) });
});

describe("the place of a file", () => {
  it("is flat: mails, attachments by document, documents [DOC-15]", () => {
    expect(emlPath(DAY, "Fee note")).toBe("emails/2026-02-17_Fee_note.eml");
    expect(attachmentPath("58dd5db4-8043-4676-9d3c-0123456789ab", "a/b.pdf")).toBe(
      "emails/attachments/58dd5db4804346769d3c0123456789ab/b.pdf",
    );
    expect(uploadPath("C:\\temp\\x.docx")).toBe("documents/x.docx");
  });

  it.each([
    ["RE: a/b \\ c?", "2026-02-17_RE_a_b_c.eml"],
    ["", "2026-02-17_No_Subject.eml"],
    ["../..", "2026-02-17_No_Subject.eml"],
    ["Größe & Maß", "2026-02-17_Größe_&_Maß.eml"],
    ["tab\tand\u0000null", "2026-02-17_tab_and_null.eml"],
  ])("of a mail about %j is %s [X-08]", (subject, name) => {
    expect(emlFileName(DAY, subject)).toBe(name);
  });

  it("of a mail has at most 100 characters and is one that SharePoint accepts, for any subject [X-08]", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (subject) => {
        const name = emlFileName(DAY, subject);
        expect([...name].length).toBeLessThanOrEqual(100);
        expect(name).toMatch(/^2026-02-17_.+\.eml$/su);
        expect(name).not.toMatch(/["*:<>?/\\|#%\u0000-\u001f]/u);
      }),
    );
  });

  it("that a caller names stays below the root of the drive, or is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (given) => {
        const checked = checkDrivePath(given);
        if ("problem" in checked) return;
        const parts = checked.path.split("/");
        expect(parts.every((part) => part !== "" && part !== "." && part !== "..")).toBe(true);
        expect(checked.path).not.toMatch(/[\\:*?"<>|\u0000-\u001f]/u);
      }),
    );
  });
});
