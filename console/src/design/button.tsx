import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

const KINDS = {
  primary: "bg-primary text-on-primary border-transparent hover:brightness-110",
  plain: "bg-surface text-text border-border hover:bg-sunken",
  quiet: "bg-transparent text-text-2 border-transparent hover:bg-sunken hover:text-text",
  danger: "bg-surface text-failed border-border hover:bg-failed-tint",
} as const;

export type ButtonKind = keyof typeof KINDS;

const HEIGHTS = { small: "h-7 px-2 max-md:h-9", normal: "h-8 px-3 max-md:h-10" } as const;

/** Of a button, and of a link that stands among buttons. */
export const buttonLook = (kind: ButtonKind, size: keyof typeof HEIGHTS = "normal"): string =>
  `inline-flex items-center gap-2 whitespace-nowrap rounded-control border text-body font-medium disabled:opacity-50 ${HEIGHTS[size]} ${KINDS[kind]}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: IconName;
  /** The key that does the same, printed on the button except on a phone, which has no keys. */
  shortcut?: string;
  size?: keyof typeof HEIGHTS;
  children?: ReactNode;
}

export function Button(props: ButtonProps) {
  const {
    kind = "plain",
    icon,
    shortcut,
    size = "normal",
    children,
    className = "",
    onClick,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...(shortcut === undefined ? {} : { "aria-keyshortcuts": shortcut })}
      className={`${buttonLook(kind, size)} ${className}`}
      // The second click of a double click is not meant for what stands here by then, such as the next question.
      onClick={(event) => (event.detail > 1 ? event.preventDefault() : onClick?.(event))}
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
      {shortcut && (
        <span className="max-md:hidden">
          <Key on={kind === "primary" ? "primary" : "surface"}>{shortcut}</Key>
        </span>
      )}
    </button>
  );
}

/** Asks for files. The same one can be chosen again: it may have been mended since. */
export function FileButton({
  children,
  size = "normal",
  onFiles,
  ...input
}: {
  children: ReactNode;
  size?: keyof typeof HEIGHTS;
  onFiles: (files: readonly File[]) => void;
} & Pick<InputHTMLAttributes<HTMLInputElement>, "accept" | "multiple" | "disabled">) {
  return (
    <label
      className={`relative max-w-full cursor-pointer focus-within:outline-2 focus-within:outline-accent ${buttonLook("plain", size)}`}
    >
      <span className="truncate">{children}</span>
      <input
        type="file"
        className="sr-only"
        {...input}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          onFiles(files);
        }}
      />
    </label>
  );
}

export function IconButton({
  label,
  icon,
  ...rest
}: { label: string; icon: IconName } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-grid size-7 place-items-center rounded-control text-text-2 hover:bg-sunken hover:text-text disabled:opacity-50"
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A key of the keyboard, for the eye only: buttons carry aria-keyshortcuts. */
export function Key({
  children,
  on = "surface",
}: {
  children: ReactNode;
  on?: "surface" | "primary";
}) {
  const look =
    on === "primary" ? "bg-[#ffffff2e] border-transparent" : "bg-surface border-border text-text-2";
  return (
    <kbd aria-hidden className={`rounded-key border px-1 font-sans text-tiny font-medium ${look}`}>
      {children}
    </kbd>
  );
}
