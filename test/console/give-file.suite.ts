/** A document that could not be opened is read with what a reviewer gives for it. */
import { describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";

interface Row {
  readonly id: number;
  readonly documentId: string | null;
}

export function testGiveFile(get: () => Console): void {
  /** Uploads a locked note and waits for the question about it. */
  async function askAboutLocked(pdf: Buffer): Promise<number> {
    const { reviews: before } = await get().ask<{ reviews: Row[] }>(
      "/api/reviews?subject=document&limit=1000",
    );
    const form = new FormData();
    form.append("senderEmail", "notes@stranger.example");
    form.append("file", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), "locked.pdf");
    await get().ask("/api/contract-notes", { method: "POST", body: form });
    return until("the question", async () => {
      const { reviews } = await get().ask<{ reviews: Row[] }>(
        "/api/reviews?subject=document&limit=1000",
      );
      for (const { id } of reviews.filter((row) => !before.some((old) => old.id === row.id))) {
        const { document } = await get().ask<{ document: { filename: string } | null }>(
          `/api/reviews/${id}`,
        );
        if (document?.filename === "locked.pdf") return id;
      }
      return null;
    });
  }

  describe("a locked note", () => {
    it("is opened with its password, after a wrong one was refused", async () => {
      const note = await makeNote({ seed: "give", kind: "buy", variant: "encrypted" });
      const id = await askAboutLocked(note.pdf);
      const { page } = await get().open("Omar Haddad", `/review/${id}`);
      const box = page.getByLabel("Password of the file");
      await box.waitFor();
      await page.keyboard.press("w");
      await page.keyboard.type("a wrong one");
      await page.keyboard.press("Enter");
      await page.getByText(/password does not open the file/i).waitFor();
      await box.fill(note.password!);
      await page.keyboard.press("Enter");
      await until("an answered question", async () => {
        const { status } = await get().ask<{ status: string }>(`/api/reviews/${id}`);
        return status !== "open";
      });
      expect(page.url()).not.toContain(encodeURIComponent(note.password!));
      await page.context().close();
    });

    it("is replaced by a file that a reviewer gives, after one that is no PDF was refused", async () => {
      const locked = await makeNote({ seed: "replaced", kind: "buy", variant: "encrypted" });
      const open = await makeNote({ seed: "replacement", kind: "sell" });
      const id = await askAboutLocked(locked.pdf);
      const { page } = await get().open("Omar Haddad", `/review/${id}`);
      const box = page.getByLabel("Upload a replacement PDF");
      await box.setInputFiles({
        ...{ name: "note.pdf", mimeType: "application/pdf", buffer: Buffer.from("not a PDF") },
      });
      await page.getByRole("alert").waitFor();
      const { status } = await get().ask<{ status: string }>(`/api/reviews/${id}`);
      expect(status).toBe("open");
      await box.setInputFiles({
        ...{ name: "note.pdf", mimeType: "application/pdf", buffer: open.pdf },
      });
      await until("an answered question", async () => {
        const now = await get().ask<{ status: string }>(`/api/reviews/${id}`);
        return now.status !== "open";
      });
      await page.context().close();
    });
  });
}
