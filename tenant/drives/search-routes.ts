/** `search(q='…')`: files and folders by name and, for plain text, by content. */
import type { TenantResponse } from "../http.ts";
import { writeQuery } from "../odata/write-query.ts";
import { checkItem } from "./drive-access.ts";
import { decodeSafely } from "./drive-address.ts";
import { type ItemCall, loadTarget } from "./drive-call.ts";
import { invalid, pageOf, selectFrom, sortViews } from "./drive-options.ts";
import { viewItem } from "./item-view.ts";
import { contentOf, type Item } from "./store/drive-model.ts";
import { childrenOf } from "./store/drive-tree.ts";
import { mimeTypeOf } from "./store/mime-types.ts";

export function searchItems(call: ItemCall, given?: string): TenantResponse {
  checkItem(call, "read");
  const folder = loadTarget(call);
  const text = decodeSafely(given ?? "").replaceAll("''", "'");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) throw invalid("The search text is missing.");
  const found = below(call, folder).filter((item) => matches(item, words));
  const { query, path } = call.request;
  const views = sortViews(
    found.map((item) => ({ ...viewItem(call, call.container, item), searchResult: {} })),
    query.get("$orderby"),
  );
  const { value, next } = pageOf(views, query);
  const origin = call.context.origin();
  return {
    status: 200,
    body: {
      "@odata.context": `${origin}/${call.version}/$metadata#Collection(driveItem)`,
      ...(next === null ? {} : { "@odata.nextLink": `${origin}${path}?${writeQuery(next)}` }),
      value: value.map((view) => selectFrom(view, query)),
    },
  };
}

function below({ container }: ItemCall, folder: Item): Item[] {
  const children = childrenOf(container.drive, folder.id);
  return children.flatMap((child) => [
    child,
    ...(child.isFolder ? below({ container } as ItemCall, child) : []),
  ]);
}

function matches(item: Item, wanted: readonly string[]): boolean {
  const isText = !item.isFolder && mimeTypeOf(item.name).startsWith("text/");
  const content = contentOf(item);
  const words = isText && Buffer.isBuffer(content) ? content.toString("utf8") : "";
  const text = `${item.name}\n${item.description}\n${words}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}
