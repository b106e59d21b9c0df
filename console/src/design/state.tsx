/** Five states. Each has a shape and a word; only trouble is filled with colour. */
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "ok" | "attention" | "failed" | "waiting" | "unknown";

const LOOKS: Readonly<Record<Tone, { icon: IconName; quiet: string; filled: string }>> = {
  ok: { icon: "ok", quiet: "text-ok", filled: "bg-ok-tint text-ok" },
  attention: {
    icon: "attention",
    quiet: "text-attention",
    filled: "bg-attention-tint text-attention",
  },
  failed: { icon: "failed", quiet: "text-failed", filled: "bg-failed-tint text-failed" },
  waiting: { icon: "waiting", quiet: "text-text-3", filled: "bg-sunken text-text-2" },
  unknown: { icon: "unknown", quiet: "text-text-3", filled: "bg-sunken text-text-2" },
};

/** In lists: healthy rows get an icon and a grey word, trouble gets a filled pill. */
export function State({
  tone,
  children,
  filled,
}: {
  tone: Tone;
  children: string;
  filled?: boolean;
}) {
  const look = LOOKS[tone];
  const isFilled = filled ?? (tone === "attention" || tone === "failed");
  if (!isFilled) {
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap align-middle text-text-2">
        <Icon name={look.icon} size={14} className={look.quiet} />
        {children}
      </span>
    );
  }
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-pill align-middle px-2 text-label font-medium ${look.filled}`}
    >
      <Icon name={look.icon} size={14} />
      {children}
    </span>
  );
}

export function StateIcon({ tone, label, size }: { tone: Tone; label?: string; size?: number }) {
  return (
    <Icon
      name={LOOKS[tone].icon}
      className={LOOKS[tone].quiet}
      {...(label ? { label } : {})}
      {...(size ? { size } : {})}
    />
  );
}
