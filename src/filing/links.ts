/** URLs where a person views or edits a file. */
import type { DriveItem } from "../microsoft/graph/drive-client.ts";

/** `nb=true` hides SharePoint's banner; a link from Graph's preview action needs nothing else. */
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

/** The page of Office for the web, and a link to the desktop program if the file has one. */
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

/** Sets these parameters and keeps the rest of the URL. */
function withQuery(address: string, wanted: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value);
  return url.href;
}
