/** Which attachments become documents of their own. */
import type { OpenMail } from "./read-item.ts";
import type { Words } from "./words.ts";

export interface AttachmentsProps {
  readonly attachments: OpenMail["attachments"];
  /** Their ids. */
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly isBusy: boolean;
  readonly words: Words;
}

export function Attachments({ attachments, chosen, onChosen, isBusy, words }: AttachmentsProps) {
  return (
    <fieldset disabled={isBusy}>
      <legend>{words.attachments}</legend>
      {attachments.length === 0 && <p>{words.noAttachments}</p>}
      {attachments.map(({ id, name, size }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.has(id)}
            onChange={() => onChosen(toggle(chosen, id))}
          />
          <span>{name}</span>
          <small>{sizeOf(size)}</small>
        </label>
      ))}
    </fieldset>
  );
}

function toggle(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
