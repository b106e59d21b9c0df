/** Wires the alerts: who is told, through what, and how it is checked. */
import type { Config } from "../config.ts";
import { startTelling, type TellNeeds } from "../flows/sinks/tell-people.ts";
import type { Connections } from "../mailbox/connections.ts";
import type { FurtherCheck } from "../mailbox/operating/diagnose.ts";
import { countNewQuestions } from "../review/review-table.ts";
import type { Series } from "../sinks/alerts/alert.ts";
import { findChannelStates } from "../sinks/alerts/alert-table.ts";
import { type Channel, openChannels } from "../sinks/alerts/channels.ts";
import type { Database } from "../store/database.ts";
import type { Closers, Foundation } from "./foundation.ts";

export function openAlertChannels(config: Config, connections: Connections): Channel[] {
  if (config.notify === null) return [];
  return openChannels(config.notify, {
    privateHosts: config.sinkPrivateHosts,
    sendMail: async (from, message) => {
      const path = `/users/${encodeURIComponent(from)}/sendMail`;
      const body = { message, saveToSentItems: false };
      await connections.graph("default").call({ method: "POST", path, body });
    },
  });
}

/** Starts the alerts; does nothing if no channel is set up. */
export function startAlerts(base: Foundation, closers: Closers): void {
  const { config, connections, metrics, database, clock, random, log } = base;
  if (config.notify === null) return;
  const channels = openAlertChannels(config, connections);
  const needs: TellNeeds = {
    database,
    clock,
    random,
    log,
    channels,
    metrics: async () => (await metrics.getMetricsAsJSON()) as unknown as readonly Series[],
    newQuestions: config.notify.tellsQuestions ? countNewQuestions : null,
  };
  closers.push(startTelling(needs), () => Promise.all(channels.map((channel) => channel.close())));
}

/** For the doctor: whether what people should know reaches them. */
export function alertChecks(config: Config, database: Database): FurtherCheck[] {
  const { notify } = config;
  if (notify === null) return [];
  const urls = { mail: notify.mail, teams: notify.teamsUrl, slack: notify.slackUrl };
  const check: FurtherCheck["check"] = async () => {
    const states = await findChannelStates(database);
    const isSet = (channel: string) => urls[channel as keyof typeof urls] !== null;
    const stuck = states.filter((one) => one.lastError !== null && isSet(one.channel));
    if (stuck.length === 0) return { status: "ok", detail: "reach people" };
    const detail = stuck
      .map(({ channel, waiting, lastError }) => `${channel}: ${waiting} wait; ${lastError}`)
      .join("; ");
    const fix = "postroom notify test tries each channel; correct its NOTIFY_ setting";
    return { status: "failed", detail, fix };
  };
  return [{ name: "alerts", check }];
}
