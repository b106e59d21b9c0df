import { afterAll } from "vitest";
import { testDelivery } from "./graph-delivery.suite.ts";
import { testDelta } from "./graph-delta.suite.ts";
import { testHandshake } from "./graph-handshake.suite.ts";
import { testLimits } from "./graph-limits.suite.ts";
import { openLocalGraph } from "./graph-local.ts";
import { testMail } from "./graph-mail.suite.ts";
import { testMailbox } from "./graph-mailbox.suite.ts";
import { testMessages } from "./graph-messages.suite.ts";
import { realGraphTarget } from "./graph-real.ts";
import { testSubscriptions } from "./graph-subscriptions.suite.ts";

const local = await openLocalGraph({ throttling: false, notificationsPerPost: 1 });
const crowded = await openLocalGraph({ throttling: true, mailboxLatencyMs: 1000 });
afterAll(async () => {
  await local.close();
  await crowded.close();
});
const openLocal = async () => local.target;

testHandshake("the handshake of the local tenant", openLocal);
testDelivery("delivery by the local tenant", openLocal, ["clock", "faults"]);
testSubscriptions("subscriptions of the local tenant", openLocal, ["clock", "journal"]);
testMessages("messages of the local tenant", openLocal, ["incoming"]);
testMail("mail of the local tenant", openLocal, ["incoming"]);
testMailbox("mail of the local tenant", openLocal, ["incoming"]);
testDelta("delta of the local tenant", openLocal, ["faults", "many"]);
testLimits("the limits of the local tenant", async () => crowded.target);

// The same claims against a real tenant, where settings name one.
const real = realGraphTarget(process.env);
if (real !== null) {
  const openReal = async () => real;
  testMessages("messages of a real tenant", openReal, []);
  testMail("mail of a real tenant", openReal, []);
  testMailbox("mail of a real tenant", openReal, []);
  testDelta("delta of a real tenant", openReal, []);
  testLimits("the limits of a real tenant", openReal);
  if (real.receiver) {
    testHandshake("the handshake of a real tenant", openReal);
    testDelivery("delivery by a real tenant", openReal, []);
    testSubscriptions("subscriptions of a real tenant", openReal, []);
  }
}
