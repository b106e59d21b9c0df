import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";

export interface ContainerTarget {
  readonly graph: string;
  readonly containerTypeId: string;
  /** A user of the tenant, by principal name. */
  readonly person: string;
  token(): Promise<string>;
}

const API = "https://learn.microsoft.com/graph/api";

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Loose = any;

/** Containers, their recycle bin and properties, and what files and folders refuse. */
export function testContainers(name: string, open: () => Promise<ContainerTarget>): void {
  describe(`${name}: containers and files`, () => {
    let target: ContainerTarget;
    let container: Loose;
    const root = "/storage/fileStorage";
    beforeAll(async () => {
      target = await open();
      container = (await post(`${root}/containers`, newContainer())).json;
    });
    const newContainer = () => ({
      displayName: `container ${randomUUID()}`,
      containerTypeId: target.containerTypeId,
    });

    const ask = async (
      path: string,
      {
        method = "GET",
        body,
        headers = {},
        isAnonymous = false,
      }: {
        method?: string;
        body?: unknown;
        headers?: Record<string, string>;
        isAnonymous?: boolean;
      } = {},
    ) => {
      const isText = typeof body === "string";
      const answer = await fetch(path.startsWith("http") ? path : `${target.graph}/v1.0${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(isAnonymous ? {} : { authorization: `Bearer ${await target.token()}` }),
          ...(body === undefined
            ? {}
            : { "content-type": isText ? "text/plain" : "application/json" }),
          ...headers,
        },
        body: body === undefined ? undefined : isText ? (body as string) : JSON.stringify(body),
      });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "") && text !== "";
      const json: Loose = isJson ? JSON.parse(text) : {};
      return { status: answer.status, headers: answer.headers, text, json };
    };
    const post = (path: string, body: unknown = {}) => ask(path, { method: "POST", body });
    const patch = (path: string, body: unknown) => ask(path, { method: "PATCH", body });
    const remove = (path: string) => ask(path, { method: "DELETE" });
    const refusal = ({ status, json }: { status: number; json: Loose }) => [
      status,
      json.error?.code,
    ];
    const at = (path: string) => `${root}/containers/${container.id}${path}`;
    const inDrive = (path: string) => `/drives/${container.id}${path}`;
    const put = (path: string, content: string, query = "") =>
      ask(inDrive(`/root:/${path}:/content${query}`), { method: "PUT", body: content });

    it(`a new container is inactive until it is activated (${API}/filestoragecontainer-post, ${API}/filestoragecontainer-activate)`, async () => {
      const made = await post(`${root}/containers`, newContainer());
      expect([made.status, made.json.status]).toEqual([201, "inactive"]);
      expect(made.json.id).toMatch(/^b!/);
      expect((await post(`${root}/containers/${made.json.id}/activate`)).status).toBe(204);
      const active = await ask(`${root}/containers/${made.json.id}`);
      expect(active.json.status).toBe("active");
    });

    it(`a container needs a name and a type that the app is registered for (${API}/filestoragecontainer-post)`, async () => {
      const { displayName, containerTypeId } = newContainer();
      expect((await post(`${root}/containers`, { displayName })).status).toBe(400);
      expect((await post(`${root}/containers`, { containerTypeId })).status).toBe(400);
      expect(
        refusal(await post(`${root}/containers`, { displayName, containerTypeId: randomUUID() })),
      ).toEqual([403, "accessDenied"]);
    });

    it(`a locked container is read, not written, until it is unlocked (${API}/filestoragecontainer-lock, ${API}/filestoragecontainer-unlock)`, async () => {
      await put("locked.txt", "before");
      expect((await post(at("/lock"), { lockState: "lockedReadOnly" })).status).toBe(204);
      expect((await ask(at(""))).json.lockState).toBe("lockedReadOnly");
      expect((await put("locked.txt", "after")).status).toBe(423);
      expect((await ask(inDrive("/root:/locked.txt"))).status).toBe(200);
      expect((await post(at("/unlock"))).status).toBe(204);
      expect((await put("locked.txt", "after")).status).toBe(200);
      expect((await post(at("/lock"), { lockState: "sealed" })).status).toBe(400);
    });

    it(`members are added with a role, changed and removed (${API}/filestoragecontainer-post-permissions, ${API}/filestoragecontainer-update-permissions)`, async () => {
      const grant = (role: string) => ({
        roles: [role],
        grantedToV2: { user: { userPrincipalName: target.person } },
      });
      const added = await post(at("/permissions"), grant("reader"));
      expect([added.status, added.json.roles]).toEqual([201, ["reader"]]);
      const changed = await patch(at(`/permissions/${added.json.id}`), { roles: ["writer"] });
      expect([changed.status, changed.json.roles]).toEqual([200, ["writer"]]);
      expect((await remove(at(`/permissions/${added.json.id}`))).status).toBe(204);
      expect((await remove(at(`/permissions/${added.json.id}`))).status).toBe(404);
      expect((await post(at("/permissions"), grant("king"))).status).toBe(400);
    });

    it(`custom properties are set, read by name and removed by null (${API}/filestoragecontainer-post-customproperty, ${API}/filestoragecontainer-list-customproperty)`, async () => {
      const set = await patch(at("/customProperties"), {
        clientId: { value: "42", isSearchable: true },
        colour: { value: "red" },
      });
      expect(set.status).toBe(200);
      const all = await ask(at("/customProperties"));
      expect(all.json).toMatchObject({
        clientId: { value: "42", isSearchable: true },
        colour: { value: "red" },
      });
      expect((await ask(at("/customProperties/clientId"))).json.value).toBe("42");
      await patch(at("/customProperties"), { colour: null });
      expect((await ask(at("/customProperties/colour"))).status).toBe(404);
      expect((await ask(at("/customProperties/clientId"))).status).toBe(200);
      expect((await patch(at("/customProperties"), { clientId: { text: "x" } })).status).toBe(400);
    });

    it(`a deleted item is in the recycle bin and can be restored with its contents (${API}/filestoragecontainer-list-recyclebinitem, ${API}/filestoragecontainer-restore-recyclebinitem)`, async () => {
      const inside = (await put("bin/inside.txt", "content")).json;
      expect((await remove(inDrive("/root:/bin:"))).status).toBe(204);
      expect((await ask(inDrive(`/items/${inside.id}`))).status).toBe(404);
      const listed = await ask(at("/recycleBin/items"));
      const entry = listed.json.value.find((each: Loose) => each.name === "bin");
      expect(entry).toMatchObject({ deletedBy: expect.any(Object) });
      const restored = await post(at("/recycleBin/items/restore"), { ids: [entry.id] });
      expect([restored.status, restored.json.value]).toEqual([207, [{ id: entry.id }]]);
      const again = await ask(inDrive(`/items/${inside.id}/content`));
      expect(again.status).toBe(302);
      expect((await ask(again.headers.get("location")!, { isAnonymous: true })).text).toBe(
        "content",
      );
    });

    it(`an item that is deleted from the recycle bin is gone permanently (${API}/filestoragecontainer-delete-recyclebinitem, ${API}/driveitem-permanentdelete)`, async () => {
      await put("twice.txt", "x");
      await remove(inDrive("/root:/twice.txt:"));
      const named = async (wanted: string) =>
        (await ask(at("/recycleBin/items"))).json.value.filter(
          (each: Loose) => each.name === wanted,
        );
      const [entry] = await named("twice.txt");
      expect((await post(at("/recycleBin/items/delete"), { ids: [entry.id] })).status).toBe(204);
      expect(await named("twice.txt")).toEqual([]);
      const once = (await put("once.txt", "x")).json;
      expect((await post(inDrive(`/items/${once.id}/permanentDelete`))).status).toBe(204);
      expect(await named("once.txt")).toEqual([]);
      expect((await ask(inDrive(`/items/${once.id}`))).status).toBe(404);
    });

    it(`a restored item does not push another aside (${API}/filestoragecontainer-restore-recyclebinitem)`, async () => {
      await put("taken.txt", "old");
      await remove(inDrive("/root:/taken.txt:"));
      await put("taken.txt", "new");
      const [entry] = (await ask(at("/recycleBin/items"))).json.value.filter(
        (each: Loose) => each.name === "taken.txt",
      );
      const restored = await post(at("/recycleBin/items/restore"), { ids: [entry.id] });
      expect(restored.json.value).toMatchObject([{ error: { code: "nameAlreadyExists" } }]);
    });

    it(`a deleted container can be restored or deleted permanently (${API}/filestorage-delete-containers, ${API}/filestoragecontainer-restore, ${API}/filestorage-delete-deletedcontainers)`, async () => {
      const made = (await post(`${root}/containers`, newContainer())).json;
      expect((await remove(`${root}/containers/${made.id}`)).status).toBe(204);
      expect((await ask(`${root}/containers/${made.id}`)).status).toBe(404);
      const filter = encodeURIComponent(`containerTypeId eq ${target.containerTypeId}`);
      const deleted = await ask(`${root}/deletedContainers?$filter=${filter}`);
      expect(deleted.json.value.map((each: Loose) => each.id)).toContain(made.id);
      const restored = await post(`${root}/deletedContainers/${made.id}/restore`);
      expect([restored.status, restored.json.id]).toEqual([200, made.id]);
      await remove(`${root}/containers/${made.id}`);
      expect((await remove(`${root}/deletedContainers/${made.id}`)).status).toBe(204);
      expect((await post(`${root}/deletedContainers/${made.id}/restore`)).status).toBe(404);
    });

    it(`a folder with a name that is taken is refused, renamed or replaced (${API}/driveitem-post-children)`, async () => {
      const make = (behaviour?: string) =>
        post(inDrive("/root/children"), {
          name: "twin",
          folder: {},
          ...(behaviour && { "@microsoft.graph.conflictBehavior": behaviour }),
        });
      expect((await make()).status).toBe(201);
      expect(refusal(await make("fail"))).toEqual([409, "nameAlreadyExists"]);
      const renamed = await make("rename");
      expect([renamed.status, renamed.json.name]).toEqual([201, "twin 1"]);
      expect((await make("shuffle")).status).toBe(400);
    });

    it.each(['a"b', "a*b", "a:b", "a<b", "a>b", "a?b", "a|b", "CON", ".lock", "~$note.docx"])(
      `the name %s is refused (https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa)`,
      async (wrong) => {
        const made = await post(inDrive("/root/children"), { name: wrong, folder: {} });
        expect(refusal(made)).toEqual([400, "invalidRequest"]);
      },
    );

    it(`a file is renamed and moved by PATCH, within its drive only (${API}/driveitem-move)`, async () => {
      const file = (await put("from/file.txt", "x")).json;
      const folder = (await post(inDrive("/root/children"), { name: "to", folder: {} })).json;
      const moved = await patch(inDrive(`/items/${file.id}`), {
        name: "renamed.txt",
        parentReference: { id: folder.id },
      });
      expect([moved.status, moved.json.id, moved.json.name, moved.json.parentReference.id]).toEqual(
        [200, file.id, "renamed.txt", folder.id],
      );
      expect((await ask(inDrive("/root:/from/file.txt"))).status).toBe(404);
      const other = (await post(`${root}/containers`, newContainer())).json;
      await post(`${root}/containers/${other.id}/activate`);
      const otherRoot = (await ask(`/drives/${other.id}/root`)).json;
      expect(
        (
          await patch(inDrive(`/items/${file.id}`), {
            parentReference: { driveId: other.id, id: otherRoot.id },
          })
        ).status,
      ).toBe(400);
    });

    it(`a folder is not moved into itself, and the root stays (${API}/driveitem-move, ${API}/driveitem-delete)`, async () => {
      await put("outer/inner/file.txt", "x");
      const outer = (await ask(inDrive("/root:/outer"))).json;
      const inner = (await ask(inDrive("/root:/outer/inner"))).json;
      expect(
        (await patch(inDrive(`/items/${outer.id}`), { parentReference: { id: inner.id } })).status,
      ).toBe(400);
      expect((await remove(inDrive("/root"))).status).toBe(400);
    });

    it(`a condition on an upload is checked before anything is written (${API}/driveitem-createuploadsession#optional-request-headers)`, async () => {
      const file = (await put("guarded.txt", "first")).json;
      const guarded = (path: string, etag: string) =>
        ask(inDrive(`/root:/${path}:/createUploadSession`), {
          method: "POST",
          body: {},
          headers: { "if-match": etag },
        });
      expect((await guarded("guarded.txt", '"stale"')).status).toBe(412);
      expect((await guarded("nothing-here.txt", '"stale"')).status).toBe(412);
      expect((await guarded("guarded.txt", file.eTag)).status).toBe(200);
    });

    it(`parts of an upload agree in their total and follow one another (${API}/driveitem-createuploadsession#upload-bytes-to-the-upload-session)`, async () => {
      const session = (await post(inDrive("/root:/parts.bin:/createUploadSession"))).json;
      const chunk = "x".repeat(327_680);
      const send = (range: string, body: string) =>
        ask(session.uploadUrl, {
          method: "PUT",
          body,
          headers: { "content-range": range },
          isAnonymous: true,
        });
      expect((await send("bytes 0-327679/327690", chunk)).status).toBe(202);
      expect((await send("bytes 327680-327689/400000", "0123456789")).status).toBe(400);
      expect((await send("bytes 327685-327689/327690", "01234")).status).toBe(416);
      expect((await send("not a range", "01234")).status).toBe(400);
      const state = await ask(session.uploadUrl, { isAnonymous: true });
      expect(state.json.nextExpectedRanges).toEqual(["327680-"]);
      const last = await send("bytes 327680-327689/327690", "0123456789");
      expect([last.status, last.json.size]).toEqual([201, 327_690]);
    });

    it(`a file that has not changed is 304, and a conversion that does not exist 406 (${API}/driveitem-get-content, ${API}/driveitem-get-content-format)`, async () => {
      const file = (await put("same.txt", "x")).json;
      const content = inDrive(`/items/${file.id}/content`);
      for (const tag of [file.eTag, file.cTag]) {
        expect((await ask(content, { headers: { "if-none-match": tag } })).status).toBe(304);
      }
      expect((await ask(`${content}?format=pdf`)).status).toBe(406);
    });

    it(`a version is read and restored, and the restored one is the newest (${API}/driveitemversion-get-contents, ${API}/driveitemversion-restore)`, async () => {
      const file = (await put("versions.txt", "one")).json;
      await put("versions.txt", "two");
      const path = inDrive(`/items/${file.id}/versions`);
      expect((await ask(path)).json.value.map((each: Loose) => each.id)).toEqual(["2.0", "1.0"]);
      const old = await ask(`${path}/1.0/content`);
      expect(old.status).toBe(302);
      expect((await ask(old.headers.get("location")!, { isAnonymous: true })).text).toBe("one");
      expect((await post(`${path}/1.0/restoreVersion`)).status).toBe(204);
      expect((await ask(path)).json.value.map((each: Loose) => each.id)).toEqual([
        "3.0",
        "2.0",
        "1.0",
      ]);
      expect((await ask(`${path}/9.0`)).status).toBe(404);
    });

    it(`delta from latest shows only later changes, and an invalid token is refused (${API}/driveitem-delta)`, async () => {
      const latest = await ask(inDrive("/root/delta?token=latest"));
      expect([latest.status, latest.json.value]).toEqual([200, []]);
      await put("after.txt", "x");
      const after = await ask(latest.json["@odata.deltaLink"]);
      expect(after.json.value.map((each: Loose) => each.name)).toContain("after.txt");
      expect((await ask(inDrive("/root/delta?token=garbage"))).status).toBe(400);
    });

    it(`a file checked out by one is checked in once (${API}/driveitem-checkout, ${API}/driveitem-checkin)`, async () => {
      const file = (await put("held.txt", "x")).json;
      expect((await post(inDrive(`/items/${file.id}/checkout`))).status).toBe(204);
      const checkIn = () => post(inDrive(`/items/${file.id}/checkin`), { comment: "done" });
      expect((await checkIn()).status).toBe(204);
      expect((await checkIn()).status).toBe(400);
    });

    it(`an item says what it is by its facets (${API}/resources/driveitem)`, async () => {
      const { json: file } = await put("facets/file.pdf", "x");
      expect(file).toMatchObject({
        file: { mimeType: "application/pdf", hashes: { quickXorHash: expect.any(String) } },
        size: 1,
        eTag: expect.any(String),
        cTag: expect.any(String),
        parentReference: { driveId: container.id, path: expect.stringMatching(/root:\/facets$/) },
      });
      expect(file.folder).toBeUndefined();
      const { json: folder } = await ask(inDrive("/root:/facets"));
      expect(folder.folder).toEqual({ childCount: 1 });
      expect([folder.file, folder.cTag]).toEqual([undefined, undefined]);
      expect((await ask(inDrive("/root"))).json.root).toEqual({});
    });

    it(`children are counted, paged by a token, and not skipped (${API}/driveitem-list-children)`, async () => {
      for (const each of ["a", "b", "c"]) await put(`many/${each}.txt`, "x");
      const path = inDrive("/root:/many:/children");
      const first = await ask(`${path}?$top=2&$select=name`);
      expect(first.json.value.map((each: Loose) => each.name)).toEqual(["a.txt", "b.txt"]);
      const second = await ask(first.json["@odata.nextLink"]);
      expect(second.json.value.map((each: Loose) => each.name)).toEqual(["c.txt"]);
      expect(second.json["@odata.nextLink"]).toBeUndefined();
      expect((await ask(`${path}?$skip=1`)).status).toBe(400);
    });

    it.each(["special/documents", "recent", "sharedWithMe", "following", "bundles", "activities"])(
      `%s of a drive is refused, not empty (https://learn.microsoft.com/sharepoint/dev/embedded/overview, ${API}/resources/drive)`,
      async (segment) => {
        expect((await ask(inDrive(`/${segment}`))).status).toBe(400);
      },
    );
  });
}
