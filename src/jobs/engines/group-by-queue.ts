import type { EngineMessage } from "../engine.ts";

export function groupByQueue(messages: readonly EngineMessage[]): Map<string, EngineMessage[]> {
  const groups = new Map<string, EngineMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.queue);
    if (group === undefined) groups.set(message.queue, [message]);
    else group.push(message);
  }
  return groups;
}
