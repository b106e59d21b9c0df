/** Addresses under which a person looks at a file or edits it. */
import type { DriveItem } from "../microsoft/graph/drive-client.ts";

/** `nb=true` hides SharePoint's banner; a link of Graph's preview action needs nothing else. */
export function previewLink(url: string, isPreviewAction: boolean): string {
  return withQuery(url, {
    ...(isPreviewAction ? {} : { web: "1", action: "embedview" }),
    nb: "true",
  });
}

const DESKTOP: Readonly<Record<string, string>> = {
  doc: "ms-word",
  docx: "ms-word",
  xls: "ms-excel",
  xlsx: "ms-excel",
  ppt: "ms-powerpoint",
  pptx: "ms-powerpoint",
};

/** Office's own page for the file, and the program on the desktop for it where there is one. */
export function editorLinks(item: Pick<DriveItem, "name" | "webUrl">): {
  officeUrl: string;
  desktopUrl: string | null;
} {
  const ending = /\.(\w+)$/.exec(item.name)?.[1]?.toLowerCase() ?? "";
  const program = DESKTOP[ending];
  return {
    officeUrl: withQuery(item.webUrl, { action: "edit" }),
    desktopUrl: program === undefined ? null : `${program}:ofe|u|${item.webUrl.split("?")[0]}`,
  };
}

/** Sets what is asked for and keeps the rest of the address as it is. */
function withQuery(address: string, wanted: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value);
  return url.href;
}
