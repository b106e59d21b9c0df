import type { Command } from "commander";
import { type CommonOptions, connect, print, verb, withCommonOptions } from "./connection.ts";

interface ShownSubscription {
  readonly id: string;
  readonly resource: string;
  readonly expirationDateTime?: string;
}

/** `subscriptions`, `unsubscribe` and `lifecycle`: what the service may do without the client's request. */
export function addSubscriptionVerbs(tenant: Command): void {
  withCommonOptions(tenant.command("subscriptions"))
    .description("list the change-notification subscriptions of all apps")
    .addHelpText("after", "\nExample:\n  postroom tenant subscriptions --json")
    .action(
      verb(async (options: CommonOptions) => {
        const { value } = await connect(options).call<{ value: ShownSubscription[] }>(
          "GET",
          "/subscriptions",
        );
        for (const each of value) print(options, each, `${each.id}  ${each.resource}`);
      }),
    );
  withCommonOptions(tenant.command("unsubscribe"))
    .description("remove a subscription, as Graph sometimes does")
    .argument("<id>", "subscription ID, or 'all'")
    .option("--silently", "without the subscriptionRemoved event")
    .addHelpText("after", "\nExample:\n  postroom tenant unsubscribe all --silently")
    .action(
      verb(async (id: string, options: CommonOptions & { silently?: boolean }) => {
        const body = { notify: options.silently !== true };
        const { removed } = await connect(options).call<{ removed: string[] }>(
          "POST",
          `/subscriptions/${id}/remove`,
          body,
        );
        print(options, { removed }, `removed ${removed.length}`);
      }),
    );
  withCommonOptions(tenant.command("lifecycle"))
    .description("send a lifecycle event to a subscription")
    .argument("<id>", "subscription ID, or 'all'")
    .argument("<event>", "reauthorizationRequired, subscriptionRemoved or missed")
    .addHelpText("after", "\nExample:\n  postroom tenant lifecycle all missed")
    .action(
      verb(async (id: string, event: string, options: CommonOptions) => {
        const { sent } = await connect(options).call<{ sent: string[] }>(
          "POST",
          `/subscriptions/${id}/lifecycle`,
          { event },
        );
        print(options, { sent }, `sent to ${sent.length}`);
      }),
    );
}
