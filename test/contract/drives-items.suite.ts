import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";

export interface DriveTarget {
  readonly graph: string;
  readonly driveId: string;
  token(): Promise<string>;
  /** A person of the tenant who is not a member of the container. */
  readonly guest?: { readonly mail: string; token(): Promise<string> };
  /** Limits the size of the container; a test cannot limit a real one. */
  limitTo?(bytes: number | null): Promise<void>;
}

const DOCS = "https://learn.microsoft.com/graph/api";

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Loose = any;

/** What Microsoft's documents say about items besides their upload. Each case cites its page. */
export function testDriveItems(
  name: string,
  open: () => Promise<DriveTarget>,
  can: readonly string[],
): void {
  describe(`${name}: items`, () => {
    let target: DriveTarget;
    let folder: Loose;
    beforeAll(async () => {
      target = await open();
      folder = (await post("root/children", { name: `items-${randomUUID()}`, folder: {} })).json;
    });

    const ask = async (
      path: string,
      {
        method = "GET",
        body,
        headers = {},
        token,
      }: { method?: string; body?: unknown; headers?: Record<string, string>; token?: string } = {},
    ) => {
      const url = path.startsWith("http")
        ? path
        : `${target.graph}/v1.0/drives/${target.driveId}/${path}`;
      const isText = typeof body === "string";
      const answer = await fetch(url, {
        method,
        redirect: "manual",
        headers: {
          authorization: `Bearer ${token ?? (await target.token())}`,
          ...(body === undefined
            ? {}
            : { "content-type": isText ? "text/plain" : "application/json" }),
          ...headers,
        },
        body: body === undefined ? undefined : isText ? (body as string) : JSON.stringify(body),
      });
      const text = await answer.text();
      const json: Loose =
        /json/.test(answer.headers.get("content-type") ?? "") && text ? JSON.parse(text) : {};
      return { status: answer.status, headers: answer.headers, text, json };
    };
    const graph = (path: string) => ask(`${target.graph}/v1.0/${path}`);
    const post = (path: string, body: unknown = {}) => ask(path, { method: "POST", body });
    const put = async (fileName: string, content: string) =>
      (
        await ask(`items/${folder.id}:/${encodeURIComponent(fileName)}:/content`, {
          method: "PUT",
          body: content,
        })
      ).json;

    it(`the id of a drive is checked before it is looked up (${DOCS}/drive-get, ${DOCS}/resources/drive)`, async () => {
      const malformed = await graph("drives/b!nope/root");
      expect([malformed.status, malformed.json.error.code]).toEqual([400, "invalidRequest"]);
      expect(malformed.json.error.message).toBe(
        "The provided drive id appears to be malformed, or does not represent a valid drive.",
      );
      const unknown = await graph(`drives/b!${"A".repeat(64)}/root`);
      expect([unknown.status, unknown.json.error.code]).toEqual([404, "itemNotFound"]);
    });

    it(`lists and single things say where they come from (${DOCS}/driveitem-list-permissions, ${DOCS}/driveitem-list-versions)`, async () => {
      const file = await put("context.txt", "x");
      const drive = `drives('${target.driveId}')/items('${file.id}')`;
      for (const [path, fragment] of [
        ["permissions", "permissions"],
        ["versions", "versions"],
        ["versions/1.0", "versions('1.0')/$entity"],
        ["thumbnails", "thumbnails"],
        ["listItem", "listItem/$entity"],
      ] as const) {
        const { json } = await ask(`items/${file.id}/${path}`);
        expect(json["@odata.context"]).toBe(`${target.graph}/v1.0/$metadata#${drive}/${fragment}`);
      }
    });

    it(`createLink creates a link once and then returns the same one (${DOCS}/driveitem-createlink)`, async () => {
      const file = await put("linked.txt", "x");
      const first = await post(`items/${file.id}/createLink`, {
        type: "view",
        scope: "organization",
      });
      expect(first.status).toBe(201);
      expect(first.json).toMatchObject({
        roles: ["read"],
        link: { type: "view", scope: "organization", webUrl: expect.stringMatching(/^https?:/) },
      });
      const again = await post(`items/${file.id}/createLink`, {
        type: "view",
        scope: "organization",
      });
      expect([again.status, again.json.id]).toEqual([200, first.json.id]);
      const edit = await post(`items/${file.id}/createLink`, {
        type: "edit",
        scope: "organization",
      });
      expect([edit.status, edit.json.roles]).toEqual([201, ["write"]]);
    });

    it(`createLink refuses kinds of links that SharePoint does not have (${DOCS}/driveitem-createlink)`, async () => {
      const file = await put("unlinked.txt", "x");
      for (const body of [
        { type: "embed" },
        { type: "view", scope: "world" },
        { type: "view", password: "p" },
        {},
      ]) {
        const answer = await post(`items/${file.id}/createLink`, body);
        expect([body, answer.status]).toEqual([body, 400]);
      }
    });

    it(`a sharing link opens the item under /shares (${DOCS}/shares-get)`, async () => {
      const file = await put("shared.txt", "x");
      const { json } = await post(`items/${file.id}/createLink`, { type: "view" });
      const id = `u!${Buffer.from(json.link.webUrl).toString("base64url")}`;
      const shared = await ask(`${target.graph}/v1.0/shares/${id}/driveItem`);
      expect([shared.status, shared.json.id]).toEqual([200, file.id]);
      const unknown = `u!${Buffer.from("https://x.example/nothing").toString("base64url")}`;
      expect((await ask(`${target.graph}/v1.0/shares/${unknown}/driveItem`)).status).toBe(404);
    });

    it(`permissions are listed, read, changed and deleted (${DOCS}/driveitem-list-permissions, ${DOCS}/permission-delete)`, async () => {
      const file = await put("permitted.txt", "x");
      const { json: link } = await post(`items/${file.id}/createLink`, { type: "edit" });
      const list = await ask(`items/${file.id}/permissions`);
      expect(list.json.value.map(({ id }: Loose) => id)).toContain(link.id);
      expect(list.json.value.some((each: Loose) => each.inheritedFrom !== undefined)).toBe(true);
      const changed = await ask(`items/${file.id}/permissions/${link.id}`, {
        method: "PATCH",
        body: { roles: ["read"] },
      });
      expect([changed.status, changed.json.roles]).toEqual([200, ["read"]]);
      expect(
        (await ask(`items/${file.id}/permissions/${link.id}`, { method: "DELETE" })).status,
      ).toBe(204);
      expect((await ask(`items/${file.id}/permissions/${link.id}`)).status).toBe(404);
    });

    if (can.includes("guest")) {
      it(`an invited person reads the item, and only that one (${DOCS}/driveitem-invite)`, async () => {
        const file = await put("invited.txt", "for you");
        const other = await put("not-invited.txt", "not for you");
        const token = await target.guest!.token();
        expect((await ask(`items/${file.id}`, { token })).status).toBe(403);
        const invited = await post(`items/${file.id}/invite`, {
          recipients: [{ email: target.guest!.mail }],
          roles: ["read"],
          requireSignIn: true,
          sendInvitation: false,
        });
        expect(invited.status).toBe(200);
        expect(invited.json.value).toMatchObject([
          { roles: ["read"], grantedToV2: { user: { email: target.guest!.mail } } },
        ]);
        expect((await ask(`items/${file.id}`, { token })).status).toBe(200);
        expect((await ask(`items/${other.id}`, { token })).status).toBe(403);
        expect((await ask(`items/${file.id}`, { token, method: "DELETE" })).status).toBe(403);
      });

      it(`somebody who does not own the drive sees only the permissions that apply to them, and no link (${DOCS}/driveitem-list-permissions)`, async () => {
        const file = await put("partly-seen.txt", "x");
        const { mail } = target.guest!;
        const token = await target.guest!.token();
        await post(`items/${file.id}/createLink`, { type: "view", scope: "organization" });
        await post(`items/${file.id}/invite`, {
          ...{ recipients: [{ email: mail }], roles: ["read"] },
          ...{ requireSignIn: true, sendInvitation: false },
        });
        const seen = (await ask(`items/${file.id}/permissions`, { token })).json.value as Loose[];
        const named = seen.flatMap((each) => each.grantedToV2?.user?.email ?? []);
        expect(named).toEqual([mail]);
        const [link] = seen.filter((each) => each.link !== undefined);
        expect([link?.link.scope, link?.link.webUrl, link?.shareId]).toEqual([
          ...["organization", undefined, undefined],
        ]);
        const all = (await ask(`items/${file.id}/permissions`)).json.value as Loose[];
        expect(all.length).toBeGreaterThan(seen.length);
        expect(all.find((each) => each.link !== undefined)?.link.webUrl).toBeTruthy();
      });
    }

    it(`invite needs recipients, roles and a way to reach them (${DOCS}/driveitem-invite)`, async () => {
      const file = await put("uninvited.txt", "x");
      for (const body of [
        { recipients: [{ email: "nobody@nowhere.example" }], roles: ["read"], requireSignIn: true },
        { recipients: [], roles: ["read"], requireSignIn: true },
        { recipients: [{ email: "a@b.example" }], roles: ["rule"], requireSignIn: true },
        {
          recipients: [{ email: "a@b.example" }],
          roles: ["read"],
          requireSignIn: false,
          sendInvitation: false,
        },
      ]) {
        const answer = await post(`items/${file.id}/invite`, body);
        expect([body, answer.status]).toEqual([body, 400]);
      }
    });

    const finished = async (url: string) => {
      for (;;) {
        const answer = await fetch(url);
        if (answer.status !== 202)
          return { status: answer.status, json: (await answer.json()) as Loose };
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };

    it(`copy is accepted immediately and can be monitored without a token (${DOCS}/driveitem-copy, https://learn.microsoft.com/graph/long-running-actions-overview)`, async () => {
      const file = await put("original.txt", "copy me");
      const accepted = await post(`items/${file.id}/copy`, {
        name: "copy.txt",
        parentReference: { driveId: target.driveId, id: folder.id },
      });
      expect([accepted.status, accepted.text]).toEqual([202, ""]);
      const done = await finished(accepted.headers.get("location")!);
      expect(done.json).toMatchObject({
        status: "completed",
        percentageComplete: 100,
        resourceId: expect.any(String),
      });
      const copy = await ask(`items/${done.json.resourceId}`);
      expect(copy.json).toMatchObject({ name: "copy.txt", size: 7 });
      expect(copy.json.id).not.toBe(file.id);
    });

    it(`a copy whose name is taken fails, unless it may rename (${DOCS}/driveitem-copy)`, async () => {
      const file = await put("twice.txt", "x");
      const failed = await post(`items/${file.id}/copy`, {});
      expect((await finished(failed.headers.get("location")!)).json).toMatchObject({
        status: "failed",
        error: { code: "nameAlreadyExists" },
      });
      const renamed = await post(
        `items/${file.id}/copy?@microsoft.graph.conflictBehavior=rename`,
        {},
      );
      const done = await finished(renamed.headers.get("location")!);
      expect((await ask(`items/${done.json.resourceId}`)).json.name).toBe("twice 1.txt");
    });

    it(`a folder is copied with everything in it (${DOCS}/driveitem-copy)`, async () => {
      const inner = (await post(`items/${folder.id}/children`, { name: "tree", folder: {} })).json;
      await ask(`items/${inner.id}:/leaf.txt:/content`, { method: "PUT", body: "leaf" });
      const accepted = await post(`items/${inner.id}/copy`, { name: "tree copy" });
      const done = await finished(accepted.headers.get("location")!);
      const children = await ask(`items/${done.json.resourceId}/children?$select=name`);
      expect(children.json.value).toEqual([{ name: "leaf.txt" }]);
    });

    it(`search finds files below a folder by name and text (${DOCS}/driveitem-search)`, async () => {
      await put("quarterly report.txt", "nothing to see");
      await put("memo.txt", "the quarterly figures");
      const found = await ask(`items/${folder.id}/search(q='quarterly')?$select=name`);
      expect(found.json.value.map((item: Loose) => item.name).sort()).toEqual([
        "memo.txt",
        "quarterly report.txt",
      ]);
      expect(
        (await ask("root/search(q='quarterly')?$top=1")).json["@odata.nextLink"],
      ).toBeDefined();
      expect((await ask(`items/${folder.id}/search(q='')`)).status).toBe(400);
    });

    it(`columns of the container are fields of its items (${DOCS}/filestoragecontainer-post-columns, ${DOCS}/listitem-update)`, async () => {
      const column = `Client${randomUUID().slice(0, 4)}`;
      const columns = `${target.graph}/v1.0/storage/fileStorage/containers/${target.driveId}/columns`;
      const made = await ask(columns, { method: "POST", body: { name: column, text: {} } });
      expect([made.status, made.json.name]).toEqual([201, column]);
      const file = await put("fields.txt", "x");
      const set = await ask(`items/${file.id}/listItem/fields`, {
        method: "PATCH",
        body: { [column]: "Ashdown" },
      });
      expect([set.status, set.json[column]]).toEqual([200, "Ashdown"]);
      const read = await ask(`items/${file.id}/listItem?$expand=fields`);
      expect(read.json.fields[column]).toBe("Ashdown");
      const expanded = await ask(`items/${file.id}?$expand=listItem($expand=fields)`);
      expect(expanded.json.listItem.fields[column]).toBe("Ashdown");
      const unknown = await ask(`items/${file.id}/listItem/fields`, {
        method: "PATCH",
        body: { Nothing: 1 },
      });
      expect([unknown.status, unknown.json.error.code]).toEqual([400, "invalidRequest"]);
      const wrong = await ask(`items/${file.id}/listItem/fields`, {
        method: "PATCH",
        body: { [column]: 7 },
      });
      expect(wrong.status).toBe(400);
    });

    it(`an item without thumbnails has an empty list of them (${DOCS}/driveitem-list-thumbnails)`, async () => {
      const file = await put("plain.txt", "x");
      expect((await ask(`items/${file.id}/thumbnails`)).json.value).toEqual([]);
      expect((await ask(`items/${file.id}?$expand=thumbnails`)).json.thumbnails).toEqual([]);
    });

    if (can.includes("quota")) {
      it(`a full container is 507, immediately if the size is known in advance (${DOCS}/resources/quota, https://learn.microsoft.com/graph/errors)`, async () => {
        await target.limitTo!(10);
        const full = await ask(`items/${folder.id}:/large.txt:/content`, {
          method: "PUT",
          body: "x".repeat(11),
        });
        expect([full.status, full.json.error.code]).toEqual([507, "quotaLimitReached"]);
        const session = await post(`items/${folder.id}:/large.bin:/createUploadSession`, {
          item: { fileSize: 1e9 },
        });
        expect(session.status).toBe(507);
        expect((await ask("")).json.quota.state).toBe("exceeded");
        await target.limitTo!(null);
      });
    }

    it(`children are filtered, sorted, selected and paged (${DOCS}/driveitem-list-children)`, async () => {
      const place = (await post(`items/${folder.id}/children`, { name: "list", folder: {} })).json;
      for (const letter of ["b", "a", "c"])
        await ask(`items/${place.id}:/${letter}.txt:/content`, { method: "PUT", body: letter });
      const first = await ask(`items/${place.id}/children?$select=name&$orderby=name desc&$top=2`);
      expect(first.json.value).toEqual([{ name: "c.txt" }, { name: "b.txt" }]);
      const second = await ask(first.json["@odata.nextLink"]);
      expect(second.json.value).toEqual([{ name: "a.txt" }]);
      const filtered = await ask(`items/${place.id}/children?$filter=name eq 'a.txt'&$select=name`);
      expect(filtered.json.value).toEqual([{ name: "a.txt" }]);
    });

    it(`fileSystemInfo of a PATCH is kept (${DOCS}/driveitem-update)`, async () => {
      const file = await put("dated.txt", "x");
      const times = {
        createdDateTime: "2020-01-02T03:04:05Z",
        lastModifiedDateTime: "2021-01-02T03:04:05Z",
      };
      await ask(`items/${file.id}`, { method: "PATCH", body: { fileSystemInfo: times } });
      expect((await ask(`items/${file.id}`)).json.fileSystemInfo).toMatchObject({
        createdDateTime: times.createdDateTime,
      });
    });

    it(`options, properties and segments that are not modelled are refused (https://learn.microsoft.com/graph/query-parameters)`, async () => {
      const file = await put("strict.txt", "x");
      for (const path of [
        ...[
          `items/${file.id}?$filter=name eq 'x'`,
          `items/${file.id}?$select=nothing`,
          `items/${file.id}?$expand=nothing`,
        ],
        ...[
          `items/${folder.id}/children?$skip=1`,
          `items/${folder.id}/children?$orderby=webUrl`,
          `items/${folder.id}/children?$top=0`,
        ],
        ...[
          `items/${file.id}/versions?$filter=x`,
          `root/delta?$filter=x`,
          `items/${file.id}/permissions?$top=1`,
        ],
        ...[`items/${file.id}/analytics`, `items/${file.id}?unknown=1`, `?$expand=items`],
      ]) {
        const answer = await ask(path);
        expect([path, answer.status]).toEqual([path, 400]);
      }
      for (const body of [{ colour: "red" }, { fileSystemInfo: { nothing: 1 } }, { size: 3 }]) {
        const answer = await ask(`items/${file.id}`, { method: "PATCH", body });
        expect([body, answer.status]).toEqual([body, 400]);
      }
      expect((await ask(`items/${file.id}/createLink`)).status).toBe(405);
    });
  });
}
