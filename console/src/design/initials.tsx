export function Initials({ person, size = "small" }: { person: string; size?: "small" | "large" }) {
  const initials = person
    .split(/[\s.@]+/)
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase() ?? "")
    .join("");
  const look = size === "large" ? "size-8 text-label" : "size-6 text-tiny";
  return (
    <span
      aria-hidden
      className={`grid shrink-0 place-items-center rounded-full bg-accent-tint font-medium text-accent ${look}`}
    >
      {initials}
    </span>
  );
}
