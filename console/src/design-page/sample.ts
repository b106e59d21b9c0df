import type { TimelineStep } from "../design/timeline.tsx";

export const TIMES = Array.from({ length: 40 }, (_, minute) => 1_763_000_000 + minute * 60);

export const STEPS: TimelineStep[] = [
  {
    key: "1",
    group: "Heard",
    icon: "bell",
    what: "Graph notified a change",
    detail: "answered 202",
    offsetMs: 0,
    durationMs: 3,
  },
  {
    key: "2",
    group: "Seen",
    icon: "download",
    what: "Arrived in Inbox",
    detail: "first seen by push",
    offsetMs: 17,
    durationMs: 17,
  },
  {
    key: "3",
    group: "Ingested",
    icon: "note",
    what: "Read as a contract note",
    detail: "1 trade, 99 %",
    offsetMs: 253,
    durationMs: 85,
  },
  {
    key: "4",
    group: "Ingested",
    icon: "failed",
    what: "Archive did not answer",
    detail: "tried again",
    offsetMs: 291,
    durationMs: 5,
    isFailed: true,
  },
  {
    key: "5",
    group: "Decided",
    icon: "person",
    what: "Nina Berg confirmed it",
    detail: "price 3.5459 → 4.5259",
    offsetMs: 85_000,
    durationMs: null,
  },
];
