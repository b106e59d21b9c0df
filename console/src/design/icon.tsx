/** Our own line icons on a 24 grid; decoration unless a label is given. */
const PATHS = {
  overview: "M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM10 20v-6h4v6",
  review:
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  events: "M13 3 5 13.5h6L10.5 21 19 10.5h-6z",
  trades: "M4 8h15M15.5 4.5 19 8l-3.5 3.5M20 16H5M8.5 12.5 5 16l3.5 3.5",
  orders: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5",
  documents: "M6 3h8l4 4v14H6zM14 3v4h4",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.8 15.8 20 20",
  mailboxes:
    "M4 5.5h16a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM3.5 7l8.5 6 8.5-6",
  jobs: "M5 5h14v3.5H5zM5 11h14v3.5H5zM5 17h9v3H5z",
  "dead-letters": "M5.5 5h13L21 13v6H3v-6zM3 13h5l1.5 3h5L16 13h5",
  evidence: "M12 3 5 6v5.5c0 4.5 3 7.7 7 9.5 4-1.8 7-5 7-9.5V6z",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2",
  tenant: "M9 3h6M10 3v6L4.8 18.5A1.7 1.7 0 0 0 6.3 21h11.4a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9",
  people:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c0-3.5 3-5.5 6.5-5.5s6.5 2 6.5 5.5M16 5.5a3.2 3.2 0 0 1 0 6.2M18 15c2 .7 3.5 2.4 3.5 5",
  ok: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8.5 12.3l2.4 2.4 4.6-5",
  attention: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.1",
  failed: "M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7zM9.5 9.5l5 5M14.5 9.5l-5 5",
  waiting: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  unknown: "M9.8 9.5a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2 1-1.2 2M12 16.5v.1",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 8v.1",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6 6 18",
  chevron: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  more: "M5 11.5v1M12 11.5v1M19 11.5v1",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
  upload: "M12 16V4.5M7.5 8.5 12 4l4.5 4.5M5 20h14",
  bell: "M12 4a5.5 5.5 0 0 0-5.5 5.5c0 5-2 6.5-2 6.5h15s-2-1.5-2-6.5A5.5 5.5 0 0 0 12 4zM10 19.5h4",
  key: "M8 11.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4zM10.8 12.6 19 4.4M16 7.5l2.5 2.5",
  person: "M12 4.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4zM5 20c0-4 3.2-6 7-6s7 2 7 6",
  archive: "M3.5 5h17v4h-17zM5 9v10.5h14V9M10 13h4",
  note: "M5.5 3.5h13v17h-13zM9 8.5h6M9 12h6M9 15.5h3",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5v13l10.5-6.5z",
  moved: "M3 6h6l2 2h10v11H3zM9 13.5h6M13 11.5l2 2-2 2",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  flag: "M6 21V4M6 4.5h11l-2 3.7 2 3.8H6",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  mail: "M4 5.5h16a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM3.5 7l8.5 6 8.5-6",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({
  name,
  size = 16,
  label,
  className = "",
}: {
  name: IconName;
  size?: number;
  /** Spoken instead of the picture; without it a screen reader skips the icon. */
  label?: string;
  className?: string;
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <path d={PATHS[name]} />
      {name === "unknown" && <circle cx="12" cy="12" r="8.5" strokeDasharray="3 3" />}
    </svg>
  );
}

export const ICON_NAMES = Object.keys(PATHS) as IconName[];
