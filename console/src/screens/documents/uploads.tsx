/** Files on their way to the drive: how far each is, and the buttons to pause, resume or cancel it. */
import { useState } from "react";
import { startUpload, type Upload, type UploadStatus } from "../../data/uploads.ts";
import { IconButton } from "../../design/button.tsx";
import { State } from "../../design/state.tsx";

interface Row extends UploadStatus {
  readonly key: number;
  readonly name: string;
  readonly upload: Upload;
}

let lastKey = 0;

export function useUploads() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const remove = (key: number) => setRows((all) => all.filter((each) => each.key !== key));
  const add = (files: readonly File[]) => {
    for (const file of files) {
      const key = ++lastKey;
      const change = (status: UploadStatus) =>
        setRows((all) => all.map((each) => (each.key === key ? { ...each, ...status } : each)));
      const upload = startUpload(file, change, () => remove(key));
      const status: UploadStatus = { state: "sending", share: 0, reason: null };
      setRows((all) => [...all, { key, name: file.name, upload, ...status }]);
    }
  };
  const cancel = ({ key, upload }: Row) => {
    upload.cancel();
    remove(key);
  };
  return { uploads: rows, add, cancel };
}

export function UploadList({
  uploads,
  onCancel,
}: {
  uploads: readonly Row[];
  onCancel: (row: Row) => void;
}) {
  return (
    <ul
      aria-label="Uploads"
      className="shrink-0 border-border border-b bg-surface px-4 py-2 md:px-6"
    >
      {uploads.map((row) => (
        <li key={row.key} className="flex items-center gap-3 py-1">
          <span className="min-w-0 flex-1 truncate">{row.name}</span>
          {row.state === "sending" ? null : (
            <State tone={row.state === "paused" ? "waiting" : "failed"}>
              {row.reason ?? "Paused"}
            </State>
          )}
          {row.state === "failed" ? null : <Progress row={row} />}
          {row.state === "sending" ? (
            <IconButton label={`Pause ${row.name}`} icon="pause" onClick={row.upload.pause} />
          ) : (
            <IconButton label={`Resume ${row.name}`} icon="play" onClick={row.upload.resume} />
          )}
          <IconButton label={`Cancel ${row.name}`} icon="close" onClick={() => onCancel(row)} />
        </li>
      ))}
    </ul>
  );
}

function Progress({ row: { name, share } }: { row: Row }) {
  return (
    <>
      <progress
        aria-label={`Upload of ${name}`}
        value={share}
        max={1}
        className="hidden h-1.5 w-40 appearance-none overflow-hidden rounded-pill bg-border sm:block [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-border [&::-webkit-progress-value]:bg-primary"
      />
      <span className="tabular w-12 text-right text-label text-text-2">
        {Math.floor(share * 100)} %
      </span>
    </>
  );
}
