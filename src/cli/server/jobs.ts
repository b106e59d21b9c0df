import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { loadConfigAndVault, processEnvironment } from "../../config.ts";
import { openServiceBusAddress } from "../../jobs/engines/service-bus-address.ts";
import type { QueuePlan } from "../../jobs/engines/service-bus-queues.ts";
import { QUEUES } from "../../jobs/queues.ts";
import { Fault } from "../../lib/fault.ts";
import { loadDriver } from "../../lib/load-driver.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toCount } from "../base/values.ts";

const STATES = ["Queued", "Running", "Completed", "Failed", "Poisoned", "Cancelled"];

type JobStatus = Schemas["JobStatus"];

interface ListOptions extends Size {
  json?: boolean;
  state?: JobStatus["status"];
  queue?: string;
  type?: string;
}

export function jobsCommand(output: Output = createOutput()): Command {
  const jobs = new Command("jobs").description("inspect and cancel jobs");
  withSize(jobs.command("list"), 50)
    .description("list jobs, newest first")
    .option("--json", "print one JSON object per line")
    .addOption(choice("--state <state>", "only this state", STATES))
    .addOption(
      choice(
        "--queue <name>",
        "only this queue",
        QUEUES.map((queue) => queue.name),
      ),
    )
    .option("--type <type>", "only this type of job")
    .addHelpText("after", "\nExample:\n  postroom jobs list --state Running --queue delta-sync")
    .action((options: ListOptions) => withApi((api) => listJobs(api, options, output)));
  jobs
    .command("show <id>")
    .description("show one job")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom jobs show 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60")
    .action((id: string, options: { json?: boolean }) =>
      withApi((api) => showJob(api, id, options, output)),
    );
  jobs
    .command("cancel <id>")
    .description("cancel a job that has not finished")
    .option("--dry-run", "show what would happen without cancelling it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom jobs cancel 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60")
    .action((id: string, options: { dryRun?: boolean; json?: boolean }) =>
      withApi((api) => cancel(api, id, options, output)),
    );
  jobs
    .command("workers")
    .description("show what the workers have done, by hour, error and stage")
    .option("--json", "print JSON")
    .option("--hours <n>", "number of hours to look back", toCount(24 * 31), 24)
    .addHelpText("after", "\nExample:\n  postroom jobs workers --hours 6")
    .action((options: { json?: boolean; hours: number }) =>
      withApi((api) => showWorkers(api, options, output)),
    );
  jobs.addCommand(createQueuesCommand(output));
  return jobs;
}

/** Works on the namespace itself, so nothing needs to be running. */
function createQueuesCommand(output: Output): Command {
  return new Command("create-queues")
    .description("create or correct the Service Bus queues that the jobs need")
    .option("--dry-run", "show what would change without changing it")
    .option("--json", "print one JSON object per line")
    .option("--connection-string <text>", "use this instead of ServiceBus__ConnectionString")
    .addHelpText("after", "\nExample:\n  postroom jobs create-queues --dry-run")
    .action((options: { dryRun?: boolean; json?: boolean; connectionString?: string }) =>
      createQueues(options, output),
    );
}

async function createQueues(
  options: { dryRun?: boolean; json?: boolean; connectionString?: string },
  output: Output,
): Promise<void> {
  const { serviceBus, serviceBusQueues, authorityOrigin } = await loadConfigAndVault(
    processEnvironment(),
  );
  const address = options.connectionString ?? serviceBus?.reveal();
  if (address === undefined) {
    throw new CommandError(
      "set ServiceBus__ConnectionString or use --connection-string",
      EXIT.usage,
    );
  }
  const names: Readonly<Record<string, string>> = serviceBusQueues;
  const queues = QUEUES.map((queue) => ({ ...queue, name: names[queue.name] ?? queue.name }));
  // Azure's library takes longer to load than any other command takes to run.
  const { applyQueuePlan, createAdministration, planQueues } = await loadDriver(
    "create-queues",
    ["@azure/service-bus"],
    () => import("../../jobs/engines/service-bus-queues.ts"),
  );
  const { connectionString, credential } = await openServiceBusAddress(address, authorityOrigin);
  const admin = createAdministration(connectionString, credential);
  const plans = await planQueues(admin, queues).catch(explainRefusal);
  if (!options.dryRun) await applyQueuePlan(admin, queues, plans).catch(explainRefusal);
  if (options.json) for (const plan of plans) output.json(plan);
  else output.table(["queue", "action", "[because]"], plans.map(toPlanRow));
  if (options.dryRun) output.note("nothing was changed");
}

/** Azure's library says nothing of the service or the setting. */
function explainRefusal(error: Error & { statusCode?: number }): never {
  if (error instanceof Fault) throw error;
  if (error.statusCode === undefined)
    throw new CommandError(
      "Service Bus cannot be reached; check ServiceBus__ConnectionString, or try again later",
      EXIT.tryLater,
    );
  throw new CommandError(
    `Service Bus refused with ${error.statusCode}; the key in ServiceBus__ConnectionString must allow Manage`,
  );
}

const toPlanRow = (plan: QueuePlan): string[] => [
  plan.name,
  plan.action,
  plan.problems.join(", ") || "–",
];

async function listJobs(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const { state, queue, type } = options;
  const jobs = await newestOf(
    options,
    (page) =>
      answerOf(api.client.GET("/api/jobs", { params: { query: { state, queue, type, ...page } } })),
    (page) => page.jobs,
    output,
  );
  if (options.json) for (const job of jobs) output.json(job);
  else if (jobs.length === 0) output.note("no job matches; postroom jobs list shows the newest");
  else output.table(["created", "id", "type", "status", "attempt", "{subject}"], jobs.map(toRow));
}

const toRow = (job: JobStatus): string[] => [
  shortTime(job.createdAt),
  job.jobId,
  plain(job.jobType),
  job.status,
  `${job.attempt}/${job.maxAttempts}`,
  plain(job.errorCode === null ? job.subjectId : `${job.subjectId} (${job.errorCode})`),
];

async function showJob(
  api: ApiClient,
  id: string,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const status = await answerOf(
    api.client.GET("/api/jobs/{id}/status", { params: { path: { id } } }),
  );
  if (options.json) return output.json(status);
  for (const [name, value] of Object.entries(status)) {
    output.line(`${name.padEnd(14)} ${value === null ? "–" : plain(String(value))}`);
  }
}

async function cancel(
  api: ApiClient,
  id: string,
  options: { dryRun?: boolean; json?: boolean },
  output: Output,
): Promise<void> {
  const params = { path: { id } };
  if (options.dryRun) {
    const { jobId, status } = await answerOf(api.client.GET("/api/jobs/{id}/status", { params }));
    const isOpen = status === "Queued" || status === "Running";
    if (options.json) return output.json({ dryRun: true, jobId, status, isCancelled: isOpen });
    return output.line(isOpen ? "would be cancelled" : `already ${status}; nothing would change`);
  }
  const answer = await answerOf(api.client.POST("/api/jobs/{id}/cancel", { params }));
  if (!answer.isCancelled) throw new CommandError("the job has already finished");
  if (options.json) output.json(answer);
  else output.line("cancelled");
}

async function showWorkers(
  api: ApiClient,
  options: { json?: boolean; hours: number },
  output: Output,
): Promise<void> {
  const views = await answerOf(
    api.client.GET("/api/jobs/workers", { params: { query: { hours: options.hours } } }),
  );
  if (options.json) return output.json(views);
  output.table(
    ["hour", "[worker]", "jobs", "average ms", "max ms"],
    views.durations.map((row) => [
      shortTime(row.hour),
      plain(row.worker),
      String(row.jobs),
      row.averageMs.toFixed(1),
      row.maxMs.toFixed(1),
    ]),
  );
  output.line();
  output.table(
    ["hour", "error", "failed jobs"],
    views.failures.map((row) => [shortTime(row.hour), plain(row.errorCode), String(row.jobs)]),
  );
  output.line();
  output.table(
    ["stage", "completed", "failed"],
    views.stages.map((row) => [plain(row.stage), String(row.completed), String(row.failed)]),
  );
  if (views.parked.length === 0) return;
  output.line();
  output.table(
    ["parked since", "[type]", "queue", "jobs"],
    views.parked.map((row) => [
      shortTime(row.since),
      plain(row.type),
      plain(row.queue),
      String(row.jobs),
    ]),
  );
}
