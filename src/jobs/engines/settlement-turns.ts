import { setImmediate } from "node:timers/promises";

/**
 * Starts settlements in separate turns of the event loop. rhea, the AMQP library below the Service Bus client,
 * collects what is settled in one turn, and gives a delivery and its neighbour the outcome of the first one,
 * even if they differ: completing one message and dead-lettering the next completes both, and the dead letter is
 * lost. Completions may share a turn, because they have the same outcome.
 */
export function createSettlementTurns(): (settle: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (settle) => {
    last = last.then(() => setImmediate());
    return last.then(settle);
  };
}
